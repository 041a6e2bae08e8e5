//! The few elements of SVG that all pictures share.

/// A document that stands alone or in a page.
pub fn document(attributes: &str, parts: &[String]) -> String {
    element(&format!("svg {attributes} xmlns=\"http://www.w3.org/2000/svg\""), parts)
}

/// An element by its name and attributes, one part a line.
pub fn element(tag: &str, parts: &[String]) -> String {
    let name = tag.split(' ').next().unwrap_or(tag);
    format!("<{tag}>\n{}\n</{name}>", parts.join("\n"))
}

/// What a screen reader says, or a tooltip.
pub fn title(text: &str) -> String {
    format!("<title>{}</title>", escaped(text))
}

/// Text between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The attribute of a line or polygon.
pub fn points_of(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!("points=\"{}\"", pairs.join(" "))
}
