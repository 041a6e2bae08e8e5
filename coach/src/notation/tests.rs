use super::*;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use tropism::random::SplitMix64;

fn games(text: &str) -> Vec<PlayedGame> {
    Games::new(text).collect()
}

/// Positions of random games.
fn positions(games: u64, plies: usize) -> Vec<Chess> {
    let mut random = SplitMix64::stream(7, 0);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Chess::default();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            positions.push(position.clone());
            let index = random.below(moves.len());
            position.play_unchecked(moves[index]);
        }
    }
    positions
}

/// Long algebraic notation, with the sign between the squares.
fn long(m: Move, sign: &str) -> Option<String> {
    let piece = if m.role() == shakmaty::Role::Pawn {
        String::new()
    } else {
        m.role().upper_char().to_string()
    };
    let promotion = m.promotion().map(|role| role.upper_char().to_string()).unwrap_or_default();
    (!m.is_castle()).then(|| Some(format!("{piece}{}{sign}{}{promotion}", m.from()?, m.to())))?
}

#[test]
fn all_legal_moves_are_read_in_all_notations() {
    for position in positions(20, 120) {
        for m in position.legal_moves() {
            let san = SanPlus::from_move(position.clone(), m).to_string();
            let uci = UciMove::from_standard(m).to_string();
            let mut words = vec![san.clone(), uci, format!("{san}!?"), format!("{san},")];
            words.extend(
                ["", "-", "x", ":", "\u{2013}", "\u{d7}"].iter().filter_map(|sign| long(m, sign)),
            );
            words.push(san.replace("O-O", "0-0").replace('=', ""));
            words.push(san.replace("O-O-O", "0-0-0").replace('=', "/"));
            let figurines = ["K\u{2654}", "Q\u{2655}", "R\u{2656}", "B\u{265d}", "N\u{265e}"];
            words.extend(figurines.iter().map(|pair| san.replace(&pair[..1], &pair[1..])));
            for word in words {
                assert_eq!(read_move(&word, &position), Ok(m), "{word} in {position:?}");
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_named_and_later_games_are_read() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n\
                [White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n1. f3 {weak} e5 2. g4 (2. e4) Qh4# 0-1\n";
    let games = games(text);
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].heading().as_str(), games[0].moves.len()), ("A - B, 1-0", 2));
    assert_eq!(
        games[0].numbered_fault().unwrap(),
        "game 1 (A - B, 1-0), line 5: move 2.Ke3 cannot be read: no king can go to e3 in \
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2; correct this move or an earlier one"
    );
    assert_eq!((games[1].heading().as_str(), games[1].moves.len()), ("C - D, 0-1", 4));
    assert_eq!(games[1].faults, [""; 0]);
    assert_eq!(games[1].name(3), "2...Qh4#");
    assert_eq!(games[1].text.moves[0].comments, ["weak"]);
    assert_eq!(games[1].text.moves[2].variations[0].moves.len(), 1);
    assert!(Games::new("").next().is_none());
    assert!(Games::new(" \n\u{feff}\n").next().is_none());
    // A game may start from any position with any move number.
    let from = Games::new("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *\n")
        .next()
        .unwrap();
    assert_eq!((from.name(0), from.name(1)), ("7...Kd7".into(), "8.e4".into()));
}

#[test]
fn nothing_is_dropped_in_silence() {
    let game = games(
        "Heading\n\n[White \"A\"]\n\n1. e4 (5) e5 $6 (=) 2. Nf3!~ (2. Zz {a} (2. c4)) Nc6 \u{2299} [see 3] 1-0 (time)\n",
    )
    .remove(0);
    let comments = |ply: usize| game.text.moves[ply].comments.clone();
    assert_eq!(game.text.comments, ["Heading"]);
    assert_eq!((comments(0), comments(1)), (vec!["5".to_owned()], vec!["=".to_owned()]));
    assert_eq!(comments(2), ["Zz {a} (2. c4)"]);
    assert_eq!(comments(3), ["\u{2299}", "[see 3]", "(time)"]);
    assert_eq!((&game.text.moves[1].nags[..], &game.text.moves[2].nags[..]), (&[6][..], &[1][..]));
    assert_eq!(game.result, "1-0");
    assert_eq!(games("1. e4 e5 (1... c5 1-0) 2. Nf3")[0].result, "*");
}

#[test]
fn large_and_deep_games_are_read() {
    let deep = |depth: usize| format!("1. e4 {}{}", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let game = games(&deep(200)).remove(0);
    assert_eq!((game.moves.len(), game.faults.len()), (1, 0));
    let game = games(&deep(5_000)).remove(0);
    assert_eq!((game.moves.len(), game.faults.len()), (1, 1), "{:?}", game.faults.first());
    let back_and_forth = "Nf3 Nf6 Ng1 Ng8 ".repeat(1_250);
    let game = games(&back_and_forth).remove(0);
    assert_eq!((game.moves.len(), game.faults.len()), (5_000, 0));
    // Many comments, braces in them, and brackets without an end.
    let comments = format!("1. e4 {} e5", "{ a { comment } ".repeat(5_000));
    assert!(games(&comments)[0].moves.len() <= 2);
    assert!(!games(&"(".repeat(20_000)).is_empty());
}

#[test]
fn the_steps_of_reading_grow_with_the_length_only() {
    // A report of four texts that took minutes: from each bracket, blank or digit the rest was read again.
    let most = |length: usize, start: &str, unit: &str, end: &str| {
        let text = format!("{start}{}{end}", unit.repeat(length / unit.len()));
        let mut games = Games::new(&text);
        games.by_ref().for_each(drop);
        let most = Games::MAX_STEPS * text.len();
        assert!(games.steps <= most, "{}: {start:?} {unit:?} {end:?}", games.steps);
    };
    for (start, unit, end) in [
        ("1. e4 ", "[", ""),
        ("[White \"", " ", ""),
        ("a", "!1", ""),
        ("", "* ", ""),
        ("1. e4 ", "[[]", ""),
        ("1. e4 ", "[[\n", ""),
        ("1. e4 ", "{{}", ""),
        ("", "{\n\n[A \"b\"]\n{", "}"),
        ("", "[a \"b\"]", ""),
        ("[White \"", "\"  ]  ", ""),
        ("", "1", "(Q)))))))))))))))))"),
        ("", "a8(Q))", ""),
        ("", "Nf3 Nf6 Ng1 Ng8 ", ""),
        ("words and words ", "\n1. e4\n[Fischer \"y\"]", ""),
        ("", "1/2 ", ""),
    ] {
        most(20_000, start, unit, end);
    }
    let parts = "[|]|{|}|(|)|1|0|!|-|/|=|\"| |\n|\n\n|[A \"b\"]\n|*|1-0|e4|a8(Q)|$|;|%|1.|\u{200b}";
    let parts: Vec<&str> = parts.split('|').collect();
    let mut random = SplitMix64::stream(11, 0);
    for _ in 0..300 {
        let count = 1 + random.below(6);
        let unit: String = (0..count).map(|_| parts[random.below(parts.len())]).collect();
        most(1_000, "", &unit, "");
    }
}

#[test]
fn long_positions_are_refused_in_one_pass() {
    // To try each place in a link as the beginning of a board takes hours.
    for (start, unit, reason) in [
        ("", "/", "the board has 1000001 ranks"),
        ("lichess.org/", "/", "has no position in it"),
        ("lichess.org/?", "fen=", "has no position in it"),
        ("lichess.org/", "?/", "has no position in it"),
    ] {
        let error =
            tropism::notation::read_fen(&(start.to_owned() + &unit.repeat(1_000_000)), None)
                .unwrap_err();
        assert!(error.to_string().contains(reason), "{start}{unit}: {error}");
    }
}

#[test]
fn control_characters_are_read_over() {
    let game = games("[White \"A\u{7}B\"]\n\n1. e4 {bell\u{7}\u{1b}} e5").remove(0);
    assert_eq!(
        (game.tags[0].1.as_str(), &game.text.moves[0].comments[..]),
        ("AB", &["bell".to_owned()][..])
    );
}

/// A report of a review that followed the father instead of the son.
#[test]
fn a_player_is_found_by_the_whole_name_first() {
    let game = games("[White \"Alter\"]\n[Black \"Alt\"]\n\n1. e4 e5 *").remove(0);
    let sides = ["alt", "ALTER", "lte", "Neu"].map(|name| game.side_of(name));
    assert_eq!(sides, [Some(Color::Black), Some(Color::White), Some(Color::White), None]);
}
