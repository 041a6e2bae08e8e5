//! Nothing that the user has done is lost: wrong input, replaced texts and games, reloads, what happens meanwhile.

use crate::driver::{MOUSE_BUTTON_RIGHT, Page};
use tropism_playground::Playground;

const PROBLEM: &str = "$('problem').textContent";
const TEXT: &str = "$('text').value";
const FEN: &str = "$('fen').value";
const OWN: &str = "name = 'own'\nbase = 'tropism'\nterms = ['material', 'pawns']\n";
const TWO: &str = "count('#moves .path') === 2";

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn a_wrong_position_is_refused_and_the_game_goes_on() {
    let page = Page::game();
    page.play("e2 e4 e7 e5", "1.e4 e5");
    page.set("8/8/8/8/8/8/8 w - - 0 1");
    // What the user wrote stays, to be corrected.
    page.wait(&format!("{PROBLEM} && {FEN} === '8/8/8/8/8/8/8 w - - 0 1'"));
    page.play("g1 f3", "1.e4 e5 2.Nf3");
    page.is(PROBLEM, "");
    page.set("no position");
    page.wait(PROBLEM);
    page.reload();
    page.is(PROBLEM, "");
    page.press("back", "1.e4 e5");
    // Other positions replace the game; the back button leads through all of them, also after a reload.
    let [one, other] = ["8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1"];
    for fen in [one, other] {
        page.set(fen);
        page.is(FEN, fen);
    }
    page.back("");
    page.is(FEN, one);
    page.reload();
    page.back("1.e4 e5");
    // What is done within the pause of the address is not lost either.
    page.value("(click('g1 f3'), $('new-game').click())");
    page.moves("");
    page.back("1.e4 e5 2.Nf3");
    // A link to a position that is none: the page says so and works.
    let link = r#"{ "s": "8/8 w - - 0 1", "m": "e2e4", "w": { "black": null } }"#;
    let packed = Playground::new().answer("pack", link);
    page.go(&format!("#p={}", packed.split('"').nth(3).unwrap()));
    page.wait(&format!("{PROBLEM} && $('player-black').value === 'you'"));
    page.is("count('[role=tab][aria-selected=true]')", 1);
    page.play("d2 d4", "1.d4");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn a_set_up_lasts_until_it_is_done_or_replaced() {
    let page = Page::game();
    page.play("e2 e4 e7 e5", "1.e4 e5");
    page.click("#set-up");
    page.click("#clear-board");
    page.click("#palette input[value=wk]");
    page.play("h5", "1.e4 e5");
    page.is("$('announce').textContent", "white king on h5.");
    // Another panel, a turned board, a reload or a click on a move does not end it.
    page.click("#tab-lessons-panel");
    page.click("#flip");
    page.wait(&format!("$('status').textContent === '' && {PROBLEM}"));
    page.reload();
    page.is("one('[data-square=h5]').dataset.piece", "wk");
    page.click("#moves button");
    page.is(PROBLEM, "Press Done to end the set-up first.");
    page.wait("count('#board svg') === 1 && $('comment').disabled");
    // Done keeps what is no position yet; who gives it up has the game back.
    page.click("#setup-done");
    page.wait(&format!("see('setup-panel') && {PROBLEM}"));
    page.press("set-up", "1.e4 e5");
    page.wait("has('problem', 'the board shows the last one')");
    page.play("g1 f3", "1.e4 e5 2.Nf3");
    // One that is finished is the position: Black may take en passant.
    page.click("#set-up");
    page.press("start-board", "");
    page.squares("e2 e4 d7 d4");
    page.click("#setup-panel input[name=turn][value=b]");
    page.fill("en-passant", "e3");
    page.wait(&format!("{FEN}.endsWith(' b KQkq e3 0 1')"));
    page.click("#setup-done");
    page.play("d4 e3", "1...dxe3");
    page.wait("!one('[data-square=e4]').dataset.piece && !see('setup-panel')");
    // A game replaces what is set up.
    page.click("#set-up");
    page.click("#clear-board");
    for (piece, square) in [("wk", "e1"), ("bk", "h4"), ("wp", "b7")] {
        page.click(&format!("#palette input[value={piece}]"));
        page.squares(square);
    }
    page.click("#setup-panel input[name=turn][value=w]");
    page.wait(&format!("{FEN} === '8/1P6/8/8/7k/8/8/4K3 w - - 0 1' && !{PROBLEM}"));
    page.read_pgn("1. e4 e5 2. Nf3 Nc6 *", "1.e4 e5 2.Nf3 Nc6");
    page.wait("!see('setup-panel')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn a_replaced_text_comes_back_and_files_are_loaded_and_saved() {
    let page = Page::game();
    let shipped = page.text(TEXT);
    page.write(OWN);
    page.wait("!one('[data-term=mobility]')");
    let own = page.text(TEXT);
    // "choose" is no text.
    page.fill("examples", "");
    page.is(TEXT, &*own);
    page.fill("examples", "minimal");
    page.wait("one('[data-term=safe_forks]')");
    page.type_into("#text", "\u{e009}z\u{e000}");
    page.is(TEXT, &*own);
    // Add a term can be undone as well.
    page.click("#add-term");
    page.wait("one('[data-term=my_term]')");
    page.type_into("#text", "\u{e009}z\u{e000}");
    page.is(TEXT, &*own);
    // A guide has an engine of its own; a new game gives the user's back, also one with a mistake.
    let own = own + "= =";
    page.fill("text", &own);
    page.wait("has('mistake', 'Line')");
    page.type_into("[data-term=pawns] input[type=range]", "\u{e012}");
    page.click("[data-guide='1']");
    page.wait("one('[data-term=opposition]')");
    page.reload();
    page.click("#new-game");
    page.is(TEXT, &*own);
    page.is("one('[data-term=pawns] output').textContent", "95 %");
    // The list of earlier texts survives a reload, and the back button brings back what a choice replaces.
    page.fill("examples", "start");
    page.is(TEXT, &*shipped);
    page.reload();
    page.wait("$('earlier').options[1].text.startsWith('own, ')");
    page.value("(window.pages = history.length)");
    page.fill("earlier", "0");
    page.is(TEXT, own);
    page.wait("history.length > window.pages");
    page.post("/back", serde_json::json!({}));
    page.is(TEXT, shipped);
    // A file that is loaded starts at 100 percent, and is saved with the new ones.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/miser.toml");
    let file = std::fs::canonicalize(file).unwrap();
    let slider = "[data-term=threats] input[type=range]";
    let percent = "one('[data-term=threats] output').textContent";
    page.type_into(slider, "\u{e012}");
    page.is(percent, "95 %");
    page.type_into("#load", file.to_str().unwrap());
    page.is(TEXT, std::fs::read_to_string(file).unwrap());
    page.is(percent, "100 %");
    page.type_into(slider, "\u{e012}");
    page.value("catchTexts()");
    page.click("#save");
    page.wait("window.saved");
    let saved = page.text("window.saved");
    let engine = tropism::eval::Engine::parse(&saved, "saved", &tropism::terms::registry());
    // The file has 200 percent, of which the slider leaves 95.
    assert_eq!(engine.unwrap().percent("threats"), Some(190));
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn texts_with_mistakes_take_nothing_with_them() {
    let page = Page::game();
    // The last good file goes on evaluating, also after a reload.
    page.write(&OWN.replace("'pawns'", "'pawns', 'nothing'"));
    page.wait("has('mistake', 'nothing') && one('[data-term=threats]')");
    page.reload();
    page.wait("has('mistake', 'nothing') && one('[data-term=threats]')");
    // So does it with one that is too long, and with what another program has left in the store.
    page.fill("text", &"#".repeat(300_000));
    page.wait("has('mistake', 'at most 128 KiB')");
    page.play("e2 e4 e7 e5", "1.e4 e5");
    page.value("localStorage['tropism.texts'] = '[null]'");
    page.reload();
    page.moves("1.e4 e5");
    page.fill("text", OWN);
    page.is("$('mistake').textContent", "");
    // A text in PGN with a fault stays in its field, and the game on the board is exported.
    let faulty = "1. e4 e5 2. Ke3 Nc6 3. d4 *";
    page.read_pgn(faulty, "1.e4 e5");
    page.wait("has('problem', 'Ke3')");
    page.play("g1 f3", "1.e4 e5 2.Nf3");
    page.value("catchTexts()");
    page.click("#copy-pgn");
    page.click("#save-pgn");
    page.wait("copied.includes('2.Nf3 *') && saved === copied");
    page.is("$('pgn').value", faulty);
    page.read_pgn(&"x".repeat(6000), "1.e4 e5 2.Nf3");
    page.wait(&format!("{PROBLEM} && rect('#problem').height < 150"));
    page.read_pgn(&"Nf3 Nf6 Ng1 Ng8 ".repeat(251), "1.e4 e5 2.Nf3");
    page.wait("has('problem', 'more than 1000 moves')");
    // The list of games and the mistake of a text come with its game.
    page.read_pgn("1. e4 Ke7 1-0\n\n[FEN \"bad\"]\n\n1. d4 *", "1.e4");
    page.is("$('games').options.length", 2);
    page.fill("games", "2");
    page.wait("has('problem', 'correct the tag') && $('games').value === '1'");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn engine_and_defender_answer_and_what_happens_meanwhile_is_not_lost() {
    let page = Page::game();
    // A text that is pasted while another one is read stays.
    let read = "fill('pgn', '1. e4 e5 2. Nf3 *'), $('read-pgn').click()";
    page.value(&format!("({read}, fill('pgn', '1. d4 *'))"));
    page.moves("1.e4 e5 2.Nf3");
    page.is("$('pgn').value", "1. d4 *");
    // The engine that thinks about the game before does not move in the one that is read.
    page.fill("player-black", "3");
    page.press("new-game", "");
    page.value(&format!("(click('d2 d4'), {read})"));
    page.moves("1.e4 e5 2.Nf3");
    page.is("$('player-black').value", "you");
    page.play("b8 c6", "1.e4 e5 2.Nf3 Nc6");
    page.fill("player-black", "3");
    page.press("new-game", "");
    page.click("#search-on");
    page.squares("e2 e4");
    page.wait("count('#moves .path') === 2 && has('lines', '2.') && one('#best line')");
    page.click("#search-on");
    // The own move is taken back with the one of the engine.
    page.press("back", "");
    // The board is turned while the engine thinks.
    page.squares("e2 e4");
    page.click("#flip");
    page.wait(TWO);
    // An engine that is chosen inside a game moves, and who goes back may move for it.
    page.read_pgn("1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3");
    page.press("first", "");
    page.fill("player-white", "3");
    page.wait("played() && !played().includes(' ')");
    page.press("back", "");
    page.play("c2 c3", "1.c3");
    // In a lesson, too.
    page.click("[data-ending=KQK]");
    page.wait("see('lesson')");
    page.squares(&page.text("one('#board .movable').dataset.square"));
    page.squares(&page.text("one('#board .target button').dataset.square"));
    page.wait(TWO);
    page.press("back", "");
    // A lesson that is left before it is there does not come: its thread answers in the order of the questions.
    page.value("(one('[data-ending=KQK]').click(), $('new-game').click())");
    page.read_pgn("1. c4 *", "1.c4");
    page.wait("$('lesson').hidden");
    // What is drawn belongs to the move that is shown.
    page.drag("c4", "d5", MOUSE_BUTTON_RIGHT);
    page.wait("$('pgn').value.includes('1.c4 {[%cal Gc4d5]}')");
    // A browser that does not take the address now takes it later.
    page.value("refuseAddress()");
    page.key("Home", "");
    page.wait("window.refused && delete history.replaceState");
    page.wait("location.hash !== window.refused");
    page.reload();
    page.wait("played() === '' && has('moves', '1.c4')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn comments_stay_with_their_position_and_finished_games_as_they_are() {
    let page = Page::game();
    // A comment alone is worth to be kept.
    page.type_into("#comment", "plans");
    page.read_pgn("1. f3 e5 2. g4 d5 (2... Qh4#) 3. a3 1-0", "1.f3 e5 2.g4 d5 3.a3");
    // The engine does not go on with a game that has ended.
    page.press("first", "");
    page.fill("player-black", "3");
    page.value("listen()");
    page.key("End", "1.f3 e5 2.g4 d5 3.a3");
    page.click("#tab-coach-panel");
    page.wait("asked.includes('assess') && !asked.includes('move') && !has('verdict', '…')");
    // A mate in a variation is not its result.
    page.click("#moves .variation button");
    page.wait("has('status', 'checkmate') && $('pgn').value.includes('[Result \"1-0\"]')");
    page.fill("player-black", "you");
    page.back("");
    let noted = "$('moves').textContent.trim()";
    page.is(noted, "plans");
    // The comment that is written belongs to the game that is shown, and to the move on which it was begun.
    page.press("new-game", "");
    page.play("d2 d4", "1.d4");
    page.reload();
    page.type_into("#comment", "here");
    page.back("");
    page.is(noted, "plans");
    page.type_into("#comment", " and ideas");
    page.is(noted, "plans and ideas");
    page.fill("player-black", "3");
    page.value("(document.activeElement.blur(), click('d2 d4'), $('comment').focus())");
    page.wait(TWO);
    page.type_into("#comment", "solid");
    page.wait("has('moves', '1.d4 solid ')");
    page.close();
}
