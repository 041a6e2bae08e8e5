//! The command line, nothing else.

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser, Subcommand};
use shakmaty::{Chess, Position};
use std::{
    io::{self, BufReader, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};
use tropism::{
    eval::Engine,
    search::{Control, Game},
    terms, tools, uci,
};

/// A UCI chess engine in which every positional judgement is a distance.
///
/// Without a command it speaks UCI on standard input and output, for a GUI.
#[derive(Parser)]
#[command(version, about, long_about)]
struct Arguments {
    /// Evaluate with the terms and weights of this engine file instead of the built-in ones.
    #[arg(long, global = true, value_name = "FILE")]
    engine: Option<PathBuf>,

    /// How much to log to standard error: off, error, warn, info, debug or trace. Without it the
    /// environment variable RUST_LOG decides.
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<log::LevelFilter>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI (the default).
    Uci,
    /// Search fixed positions to a fixed depth: the program's signature and its speed.
    Bench,
    /// Show the evaluation of a position term by term.
    Eval {
        /// The position, in four to six fields, quoted or not.
        #[arg(required = true, value_name = "FEN")]
        fen: Vec<String>,
    },
    /// Say why a position, or each move of a game, is worth what the engine thinks it is.
    Explain {
        /// The position, in four to six fields, quoted or not.
        #[arg(required_unless_present = "game", conflicts_with = "game", value_name = "FEN")]
        fen: Vec<String>,
        /// Explain the games of this PGN file instead.
        #[arg(long, value_name = "FILE")]
        game: Option<PathBuf>,
        /// Write one page with boards and pictures to this file as well.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Write JSON, for programs.
        #[arg(long)]
        json: bool,
        /// Add the best line of a search so many plies deep.
        #[arg(long, value_name = "PLIES", conflicts_with = "game",
              value_parser = clap::value_parser!(u32).range(1..=60))]
        depth: Option<u32>,
    },
    /// Solve an ending such as KBNK exactly, or say what each move of a position is worth.
    Solve {
        /// An ending of up to four men without pawns, or a position.
        #[arg(required = true, value_name = "ENDING or FEN")]
        what: Vec<String>,
        /// Write the histogram of an ending's distances to this file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Prove that the engine mates from every won position of an ending, whatever the defence.
    Prove {
        /// An ending against a bare king, such as KBNK.
        #[arg(value_name = "ENDING")]
        ending: String,
        /// Plies the engine searches a move.
        #[arg(long, default_value_t = 1)]
        depth: u32,
        /// Follow the engine only from so many positions drawn by lot, for depths at which all take too long.
        #[arg(long, value_name = "N")]
        sample: Option<std::num::NonZeroUsize>,
        /// Which positions are drawn.
        #[arg(long, default_value_t = 1, value_name = "N", requires = "sample")]
        seed: u64,
        /// Show so many positions that are not proved, with a defence that shows why.
        #[arg(long, default_value_t = 3, value_name = "N")]
        refutations: usize,
    },
    /// Play out a won ending, such as KBNK, against perfect play.
    Practise {
        /// An ending of up to four men without pawns.
        #[arg(value_name = "ENDING")]
        ending: String,
        /// Your side: the strong one mates, the weak one holds out.
        #[arg(long, value_enum, default_value_t = tools::Side::Strong)]
        side: tools::Side,
        /// Which of the won positions; without it the clock decides.
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Watch it mate with bishop and knight against the best defence there is.
    Demo {
        /// An ending of up to four men without pawns.
        #[arg(long, value_name = "ENDING", default_value = "KBNK")]
        ending: String,
        /// Moves of each side shown in a second; 0 shows them as they are found.
        #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
        speed: f64,
        /// Which of the longest positions; without it the clock decides.
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        /// Write the game to this file as a film strip.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Play games against itself and keep their quiet positions as training data.
    Datagen {
        /// The file to write; gone on with if it is there.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Games that the file shall have.
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        games: u64,
        /// Positions that are enough, whatever the games.
        #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
        positions: u64,
        /// Nodes searched a move.
        #[arg(long, value_name = "N", default_value_t = 1000)]
        nodes: u64,
        /// Which games of all that could be; the same seed makes the same file.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// How many games are played at a time; without it, one a core.
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
    },
    /// Learn the weights of an engine file from games, and write the file with what was learnt.
    Tune {
        /// Files that `datagen` wrote.
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
        /// The engine file to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Terms whose weights stay as they are.
        #[arg(long, value_name = "TERM", num_args = 0.., default_values = ["mop_up", "kqk", "krk", "kbbk", "kbnk"])]
        freeze: Vec<String>,
        /// The most times that all positions are looked at.
        #[arg(long, value_name = "N", default_value_t = 100)]
        epochs: usize,
        /// The largest step of a weight at first, in centipawns.
        #[arg(long, value_name = "CP", default_value_t = 1.0)]
        step: f64,
        /// How far a weight is expected to move, in centipawns; less keeps it nearer to its start.
        #[arg(long, value_name = "CP", default_value_t = 30.0)]
        prior: f64,
        /// The share of the search's score in what is learnt, beside the game's result: 0 to 1.
        #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
        score_share: f64,
        /// Positions between two steps.
        #[arg(long, value_name = "N", default_value_t = 8192)]
        batch: usize,
        /// Which order positions are taken in.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Learn the weights of a mating term from the exact table of its ending.
    Teach {
        /// An ending against a bare king, such as KRK.
        #[arg(value_name = "ENDING")]
        ending: String,
        /// The term whose weights are learnt.
        #[arg(long, value_name = "TERM")]
        term: String,
        /// The engine file to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Plies that full-width searches look ahead; of several, each in turn.
        #[arg(long, value_name = "PLIES", value_delimiter = ',', default_value = "1",
              value_parser = clap::value_parser!(u32).range(1..=20))]
        plies: Vec<u32>,
        /// Steps on the way.
        #[arg(long, value_name = "N", default_value_t = 600)]
        steps: u32,
        /// The largest change of a weight in the first step, in units.
        #[arg(long, value_name = "UNITS", default_value_t = 0.1)]
        rate: f32,
        /// How much less each move counts than the one before it, below 1.
        #[arg(long, value_name = "SHARE", default_value_t = 0.99)]
        discount: f32,
        /// Centipawns in a unit: a move better by one unit than another is taken e times as often.
        #[arg(long, value_name = "CP", default_value_t = 12.0)]
        unit: f32,
    },
    /// Fit the figures that depend on the engine's strength, by games against itself.
    Calibrate {
        /// What to fit.
        #[command(subcommand)]
        what: Calibration,
    },
    /// Search the positions of a test suite and count those solved.
    Suite {
        /// An EPD file with the operations bm, am or dm.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Nodes searched a position.
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        nodes: u64,
    },
    /// Count the legal lines of so many plies.
    Perft {
        /// Length of the lines.
        depth: u32,
        /// The position; the start position if none is given.
        #[arg(value_name = "FEN")]
        fen: Vec<String>,
    },
    /// Write or show what another program needs to load this one, with this program's path.
    InstallConfig {
        /// The other program.
        #[arg(value_enum)]
        program: tools::Program,
        /// Show it and write nothing.
        #[arg(long)]
        print: bool,
        /// Write it to this file; for Cute Chess, the engine list to add to.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print the completions of a shell, to be put where it looks for them.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands.
    Manual {
        /// Write one page a command into this folder.
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
    /// Draw a distance, a relation, a set or the shortest ways on a board.
    Geometry {
        /// Show all names instead.
        #[arg(long)]
        list: bool,
        /// What to draw.
        #[arg(required_unless_present = "list")]
        name: Option<String>,
        /// The squares it is asked about, at most two.
        #[arg(value_name = "SQUARE", num_args = 0..=2)]
        squares: Vec<String>,
        /// Look the distance up in this layout.
        #[arg(long)]
        layout: Option<String>,
        /// The position that pieces are taken from, in quotes; the start position if none is given.
        #[arg(long)]
        fen: Option<String>,
        /// Write the board to this file as well.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum Calibration {
    /// The chances of win, draw and loss that belong to a value.
    Wdl {
        /// Games that `datagen` has played.
        #[arg(value_name = "DATA")]
        data: PathBuf,
    },
    /// How much stronger each level is than the one below it.
    Levels {
        /// Games of each match.
        #[arg(long, default_value_t = 100, value_name = "N")]
        games: u64,
        /// The lowest of the levels that are played against the one below.
        #[arg(long, default_value_t = 1, value_name = "LEVEL")]
        first: u32,
        /// The highest of them; each takes half as much time again as the one below.
        #[arg(long, default_value_t = 19, value_name = "LEVEL")]
        last: u32,
    },
}

fn main() -> ExitCode {
    let mut missing = tropism::cpu::missing().peekable();
    if missing.peek().is_some() {
        eprint!("tropism: this build needs a newer processor, with");
        missing.for_each(|name| eprint!(" {name}"));
        eprintln!("; take the build for all x86-64 processors instead");
        return ExitCode::from(2);
    }
    start()
}

/// Everything else, in a function of its own: the check comes before the first instruction that an
/// older processor does not know.
#[inline(never)]
fn start() -> ExitCode {
    let arguments = Arguments::parse();
    start_logging(arguments.log);
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tropism: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let registry = terms::registry();
    let engine = match &arguments.engine {
        Some(path) => Engine::load(path, &registry)?,
        None => tropism::default_engine()?,
    };
    let mut out = io::stdout().lock();
    match arguments.command {
        None | Some(Command::Uci) => {
            drop(out);
            let setup = uci::Setup { engine, registry };
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                println!(
                    "tropism {} speaks UCI; `help` lists the commands, `quit` leaves",
                    env!("CARGO_PKG_VERSION")
                );
            }
            return uci::run(setup, BufReader::new(io::stdin()), io::stdout());
        }
        Some(Command::Bench) => {
            let result = tools::bench(&engine, &Control::default())?;
            writeln!(out, "{result}")?;
        }
        Some(Command::Eval { fen }) => {
            let game = game(&fen)?;
            writeln!(out, "{}", engine.trace(game.position().chess()))?;
        }
        Some(Command::Explain { game: Some(games), html, json, .. }) => {
            explain_games(&engine, &games, html.as_deref(), json, out)?;
        }
        Some(Command::Explain { fen, html, json, depth, .. }) => {
            let game = game(&fen)?;
            let mut explained = tools::Explanation::new(&engine, &game);
            if let Some(depth) = depth {
                explained = explained.with_line(tools::BestLine::new(&engine, &game, depth)?);
            }
            if let Some(path) = html {
                write_page(&path, &explained.page()?)?;
            }
            let mut out = anstream::AutoStream::auto(out);
            if json {
                writeln!(out, "{:#}", explained.json())?;
            } else {
                writeln!(out, "{}", explained.painted())?;
            }
        }
        Some(Command::Solve { what, svg }) if !what[0].contains('/') => {
            let material = what.join(" ").parse().with_context(|| what.join(" "))?;
            let solution = tools::Solution::new(material);
            writeln!(out, "{solution}")?;
            if let Some(path) = svg {
                svg::save(&path, &solution.svg()).with_context(|| path.display().to_string())?;
            }
        }
        Some(Command::Solve { what, svg }) => {
            anyhow::ensure!(svg.is_none(), "--svg draws an ending such as KBNK, not a position");
            let game = game(&what)?;
            let verdict = tools::Verdict::new(game.position().chess().clone());
            writeln!(out, "{}", verdict.with_context(|| what.join(" "))?)?;
        }
        Some(Command::Prove { ending, depth, sample, seed, refutations }) => {
            let material = ending.parse().with_context(|| ending.clone())?;
            let sample = sample.map(|some| tools::Sample { positions: some.get(), seed });
            let proof = tools::Proof::new(&engine, material, depth, sample, refutations)?;
            writeln!(out, "{proof}")?;
        }
        Some(Command::Practise { ending, side, seed }) => {
            let material = ending.parse().with_context(|| ending.clone())?;
            let seed = seed.unwrap_or_else(seed_of_the_clock);
            let practice = tools::Practice::new(&engine, material, side, seed)?;
            let mut out = anstream::AutoStream::auto(out);
            let screen = tools::Screen {
                painted: out.current_choice() != anstream::ColorChoice::Never,
                prompt: io::stdin().is_terminal(),
            };
            practice.run(io::stdin().lock(), &mut out, screen)?;
        }
        Some(Command::Demo { ending, speed, seed, svg }) => {
            let material = ending.parse().with_context(|| ending.clone())?;
            let seed = seed.unwrap_or_else(seed_of_the_clock);
            let mut demo = tools::Demo::new(&engine, material, seed)?;
            // A move of each side is two scenes.
            let pause =
                if speed > 0.0 { Duration::from_secs_f64(0.5 / speed) } else { Duration::ZERO };
            demo.run(&mut anstream::AutoStream::auto(out), tools::Show::fitting(pause))?;
            if let Some(path) = svg {
                svg::save(&path, &demo.strip()).with_context(|| path.display().to_string())?;
            }
        }
        Some(Command::InstallConfig { program, print, file }) => {
            let place = tools::Place::of_this_program()?;
            writeln!(out, "{}", program.install(&place, print, file)?)?;
        }
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "tropism", &mut text);
            out.write_all(&text)?;
        }
        Some(Command::Manual { dir: None }) => {
            clap_mangen::Man::new(Arguments::command()).render(&mut out)?;
        }
        Some(Command::Manual { dir: Some(folder) }) => {
            let name = || folder.display().to_string();
            std::fs::create_dir_all(&folder).with_context(name)?;
            clap_mangen::generate_to(Arguments::command(), &folder).with_context(name)?;
        }
        Some(Command::Datagen { out: path, games, positions, nodes, seed, threads }) => {
            let threads = threads.unwrap_or_else(cores);
            let settings = tools::Datagen { out: path, games, positions, nodes, seed, threads };
            let count = settings.run(&engine)?;
            writeln!(out, "{} games, {} positions", count.games, count.positions)?;
        }
        Some(Command::Tune {
            data,
            out: path,
            freeze,
            epochs,
            step,
            prior,
            score_share,
            batch,
            seed,
        }) => {
            let (text, origin) = engine_text(arguments.engine.as_deref())?;
            let stop = stopped_by_ctrl_c()?;
            let tuner =
                tools::Tuner { data, freeze, epochs, step, prior, score_share, batch, seed };
            let tuned = tuner.run(&text, &origin, &registry, &stop, |report| {
                // A reader that has gone away does not stop the work.
                let _ = writeln!(out, "{report}");
            })?;
            std::fs::write(&path, tuned).with_context(|| path.display().to_string())?;
        }
        Some(Command::Teach { ending, term, out: path, plies, steps, rate, discount, unit }) => {
            let ending = ending.parse().with_context(|| ending.clone())?;
            let (text, origin) = engine_text(arguments.engine.as_deref())?;
            let stop = stopped_by_ctrl_c()?;
            let lesson = tools::Lesson { ending, term, plies, steps, rate, discount, unit };
            let taught = lesson.run(&text, &origin, &registry, &stop, |report| {
                // A reader that has gone away does not stop the work.
                let _ = writeln!(out, "{report}");
            })?;
            std::fs::write(&path, taught).with_context(|| path.display().to_string())?;
        }
        Some(Command::Calibrate { what: Calibration::Wdl { data } }) => {
            writeln!(out, "{}", tools::fit_wdl(&data)?)?;
        }
        Some(Command::Calibrate { what: Calibration::Levels { games, first, last } }) => {
            let compared = tools::compare_levels(&engine, games, first, last, |row| {
                // A reader that has gone away does not stop the work.
                let _ = writeln!(out, "{row}");
            });
            compared?;
        }
        Some(Command::Suite { file, nodes }) => {
            let name = || file.display().to_string();
            let text = std::fs::read_to_string(&file).with_context(name)?;
            let tests = tools::parse_suite(&text).with_context(name)?;
            writeln!(out, "{}", tools::suite(&engine, &tests, nodes)?)?;
        }
        Some(Command::Perft { depth, fen }) => {
            let game = if fen.is_empty() { Game::new(Chess::default()) } else { game(&fen)? };
            let chess = game.position().chess();
            let mode = chess.castles().mode();
            writeln!(out, "{}", tools::divide(chess, depth, mode, &Control::default()))?;
        }
        Some(Command::Geometry { list, name, squares, layout, fen, svg }) => {
            let Some(name) = name.filter(|_| !list) else {
                writeln!(out, "{}", tools::geometry_list())?;
                return Ok(());
            };
            let (layout, fen) = (layout.as_deref(), fen.as_deref());
            let request = tools::GeometryRequest { name: &name, squares: &squares, layout, fen };
            let board = tools::geometry(&request)?;
            let mut out = anstream::AutoStream::auto(out);
            match out.current_choice() {
                anstream::ColorChoice::Never => writeln!(out, "{board}")?,
                _ => writeln!(out, "{}", board.painted())?,
            }
            if let Some(path) = svg {
                svg::save(&path, &board.svg()).with_context(|| path.display().to_string())?;
            }
        }
    }
    Ok(())
}

/// Reads how many moves are shown in a second.
fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| *speed == 0.0 || (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.01 to 1000, or 0".to_owned())
}

fn game(words: &[String]) -> Result<Game> {
    let fen = words.join(" ");
    Game::from_fen(fen.trim(), None).with_context(|| format!("{fen:?}"))
}

/// Explains all games of a file; a broken one does not keep the others from being told.
fn explain_games(
    engine: &Engine,
    path: &Path,
    html: Option<&Path>,
    json: bool,
    out: io::StdoutLock<'static>,
) -> Result<()> {
    let mut out = anstream::AutoStream::auto(out);
    let mut games = tools::GameReader::open(path)?;
    let bar = games.bar().clone();
    let mut told = Vec::new();
    let (mut count, mut faults) = (0, Vec::new());
    for game in &mut games {
        let game = tools::Chronicle::new(engine, game?);
        count += 1;
        faults.extend(game.fault());
        if !json {
            bar.suspend(|| writeln!(out, "{}", game.painted()))?;
        }
        if json || html.is_some() {
            told.push(game);
        }
    }
    bar.finish_and_clear();
    if json {
        let games: Vec<_> = told.iter().map(tools::Chronicle::json).collect();
        writeln!(out, "{:#}", serde_json::Value::from(games))?;
    }
    if let Some(path) = html {
        write_page(path, &tools::Chronicle::page(engine.name(), &told)?)?;
    }
    let path = path.display();
    anyhow::ensure!(count > 0, "{path}: there is no game in it; give a file in PGN");
    let list = faults.join("\n");
    anyhow::ensure!(faults.is_empty(), "{path}: {} of {count} games broken:\n{list}", faults.len());
    Ok(())
}

fn write_page(path: &Path, page: &str) -> Result<()> {
    std::fs::write(path, page).with_context(|| {
        format!("cannot write {}; name a file in a folder that you may write to", path.display())
    })
}

/// The text of the engine file that is to be changed, and its name.
fn engine_text(path: Option<&Path>) -> Result<(String, String)> {
    let Some(path) = path else {
        return Ok((tropism::DEFAULT_ENGINE_FILE.to_owned(), "engines/tropism.toml".to_owned()));
    };
    let name = path.display().to_string();
    Ok((std::fs::read_to_string(path).with_context(|| name.clone())?, name))
}

/// A flag that Ctrl-C raises.
fn stopped_by_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = stop.clone();
    ctrlc::set_handler(move || heard.store(true, Relaxed))?;
    Ok(stop)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A number that differs from one game to the next, short enough to be typed again.
fn seed_of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}

fn start_logging(level: Option<log::LevelFilter>) {
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(level) = level {
        builder.filter_level(level);
    }
    builder.target(env_logger::Target::Stderr).init();
}

/// Whether the reader of our output has gone away, as `head` does: no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
