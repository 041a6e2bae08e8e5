//! Gradient descent with a step size of its own for each parameter.

/// Decay rates of the running means of the gradient and of its square.
const BETA: [f64; 2] = [0.9, 0.999];

/// The optimiser Adam (Kingma and Ba 2014, algorithm 1).
#[derive(Clone, Debug)]
pub(super) struct Adam {
    /// Keeps a step finite where the gradient is nearly 0.
    epsilon: f64,
    /// Which parameters move; the others keep their values.
    is_trained: Vec<bool>,
    /// Running means of the gradient and of its square.
    mean: Vec<f64>,
    mean_square: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// An optimiser that has not made a step.
    pub(super) fn new(epsilon: f64, is_trained: Vec<bool>) -> Adam {
        let zeros = vec![0.0; is_trained.len()];
        Adam { epsilon, is_trained, mean: zeros.clone(), mean_square: zeros, steps: 0 }
    }

    /// Moves the parameters one step down the gradient. A parameter moves by about `rate`, whatever the size of its
    /// gradient.
    pub(super) fn step(&mut self, parameters: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        let unbias = BETA.map(|beta| 1.0 - beta.powi(self.steps));
        for (index, &slope) in gradient.iter().enumerate() {
            if !self.is_trained[index] {
                continue;
            }
            let (mean, square) = (&mut self.mean[index], &mut self.mean_square[index]);
            *mean += (1.0 - BETA[0]) * (slope - *mean);
            *square += (1.0 - BETA[1]) * (slope * slope - *square);
            parameters[index] -=
                rate * *mean / unbias[0] / ((*square / unbias[1]).sqrt() + self.epsilon);
        }
    }

    /// Forgets the direction of the last steps, for a restart from other parameters.
    pub(super) fn reset_momentum(&mut self) {
        self.mean.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::random::SplitMix64;

    const EPSILON: f64 = 1e-8;

    /// Algorithm 1 of Kingma and Ba for one parameter, in the notation of the paper.
    fn reference(mut theta: f64, gradients: &[f64], alpha: f64) -> f64 {
        let (beta1, beta2): (f64, f64) = (0.9, 0.999);
        let (mut m, mut v) = (0.0, 0.0);
        for (g, t) in gradients.iter().zip(1..) {
            m = beta1 * m + (1.0 - beta1) * g;
            v = beta2 * v + (1.0 - beta2) * g * g;
            let m_hat = m / (1.0 - beta1.powi(t));
            let v_hat = v / (1.0 - beta2.powi(t));
            theta -= alpha * m_hat / (v_hat.sqrt() + 1e-8);
        }
        theta
    }

    #[test]
    fn steps_are_those_of_the_published_algorithm() {
        let mut random = SplitMix64(3);
        let start = [5.0, -2.0, 0.25];
        let mut parameters = start.to_vec();
        let mut adam = Adam::new(EPSILON, vec![true; 3]);
        let mut gradients = [const { Vec::new() }; 3];
        for _ in 0..200 {
            let gradient: Vec<f64> =
                [1e-3, 1.0, 1e3].iter().map(|size| size * (random.fraction() - 0.4)).collect();
            adam.step(&mut parameters, &gradient, 0.1);
            gradients.iter_mut().zip(&gradient).for_each(|(all, &slope)| all.push(slope));
            for index in 0..3 {
                let expected = reference(start[index], &gradients[index], 0.1);
                assert!((parameters[index] - expected).abs() < 1e-9, "{parameters:?}");
            }
        }
    }

    #[test]
    fn a_parameter_that_is_not_trained_keeps_its_value() {
        let mut adam = Adam::new(EPSILON, vec![false, true]);
        let mut parameters = [7.0, 7.0];
        adam.step(&mut parameters, &[1.0, 1.0], 0.5);
        assert!(parameters[0] == 7.0 && parameters[1] < 7.0, "{parameters:?}");
    }
}
