//! Nothing that the user has done is lost: wrong input, replaced texts and games, reloads, what happens meanwhile.

use crate::driver::Page;
use fantoccini::actions::MOUSE_BUTTON_RIGHT;
use tropism_playground::Playground;

const PROBLEM: &str = "$('problem').textContent";
const TEXT: &str = "$('text').value";
const FEN: &str = "$('fen').value";
const OWN: &str = "name = 'own'\nbase = 'tropism'\nterms = ['material', 'pawns']\n";
const TWO: &str = "count('#moves .path') === 2";

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn a_wrong_position_is_refused_and_the_game_goes_on() {
    let page = Page::game().await;
    page.play("e2 e4 e7 e5", "1.e4 e5").await;
    page.set("8/8/8/8/8/8/8 w - - 0 1").await;
    // What the user wrote stays, to be corrected.
    page.wait(&format!("{PROBLEM} && {FEN} === '8/8/8/8/8/8/8 w - - 0 1'")).await;
    page.play("g1 f3", "1.e4 e5 2.Nf3").await;
    page.is(PROBLEM, "").await;
    page.set("no position").await;
    page.wait(PROBLEM).await;
    page.reload().await;
    page.is(PROBLEM, "").await;
    page.press("back", "1.e4 e5").await;
    // Other positions replace the game; the back button leads through all of them, also after a reload.
    let [one, other] = ["8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1"];
    for fen in [one, other] {
        page.set(fen).await;
        page.is(FEN, fen).await;
    }
    page.back("").await;
    page.is(FEN, one).await;
    page.reload().await;
    page.back("1.e4 e5").await;
    // What is done within the pause of the address is not lost either.
    page.value("(click('g1 f3'), $('new-game').click())").await;
    page.moves("").await;
    page.back("1.e4 e5 2.Nf3").await;
    // A link to a position that is none: the page says so and works.
    let link = r#"{ "s": "8/8 w - - 0 1", "m": "e2e4", "w": { "black": null } }"#;
    let packed = Playground::new().answer("pack", link);
    page.go(&format!("#p={}", packed.split('"').nth(3).unwrap())).await;
    page.wait(&format!("{PROBLEM} && $('player-black').value === 'you'")).await;
    page.is("count('[role=tab][aria-selected=true]')", 1).await;
    page.play("d2 d4", "1.d4").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn a_set_up_lasts_until_it_is_done_or_replaced() {
    let page = Page::game().await;
    page.play("e2 e4 e7 e5", "1.e4 e5").await;
    page.click("#set-up").await;
    page.click("#clear-board").await;
    page.click("#palette input[value=wk]").await;
    page.play("h5", "1.e4 e5").await;
    page.is("$('announce').textContent", "white king on h5.").await;
    // Another panel, a turned board, a reload or a click on a move does not end it.
    page.click("#tab-lessons-panel").await;
    page.click("#flip").await;
    page.wait(&format!("$('status').textContent === '' && {PROBLEM}")).await;
    page.reload().await;
    page.is("one('[data-square=h5]').dataset.piece", "wk").await;
    page.click("#moves button").await;
    page.is(PROBLEM, "Press Done to end the set-up first.").await;
    page.wait("count('#board svg') === 1 && $('comment').disabled").await;
    // Done keeps what is no position yet; who gives it up has the game back.
    page.click("#setup-done").await;
    page.wait(&format!("see('setup-panel') && {PROBLEM}")).await;
    page.press("set-up", "1.e4 e5").await;
    page.wait("has('problem', 'the board shows the last one')").await;
    page.play("g1 f3", "1.e4 e5 2.Nf3").await;
    // One that is finished is the position: Black may take en passant.
    page.click("#set-up").await;
    page.press("start-board", "").await;
    page.squares("e2 e4 d7 d4").await;
    page.click("#setup-panel input[name=turn][value=b]").await;
    page.fill("en-passant", "e3").await;
    page.wait(&format!("{FEN}.endsWith(' b KQkq e3 0 1')")).await;
    page.click("#setup-done").await;
    page.play("d4 e3", "1...dxe3").await;
    page.wait("!one('[data-square=e4]').dataset.piece && !see('setup-panel')").await;
    // A game replaces what is set up.
    page.click("#set-up").await;
    page.click("#clear-board").await;
    for (piece, square) in [("wk", "e1"), ("bk", "h4"), ("wp", "b7")] {
        page.click(&format!("#palette input[value={piece}]")).await;
        page.squares(square).await;
    }
    page.click("#setup-panel input[name=turn][value=w]").await;
    page.wait(&format!("{FEN} === '8/1P6/8/8/7k/8/8/4K3 w - - 0 1' && !{PROBLEM}")).await;
    page.read_pgn("1. e4 e5 2. Nf3 Nc6 *", "1.e4 e5 2.Nf3 Nc6").await;
    page.wait("!see('setup-panel')").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn a_replaced_text_comes_back_and_files_are_loaded_and_saved() {
    let page = Page::game().await;
    let shipped = page.text(TEXT).await;
    page.write(OWN).await;
    page.wait("!one('[data-term=mobility]')").await;
    let own = page.text(TEXT).await;
    // "choose" is no text.
    page.fill("examples", "").await;
    page.is(TEXT, &*own).await;
    page.fill("examples", "minimal").await;
    page.wait("one('[data-term=safe_forks]')").await;
    page.type_into("#text", "\u{e009}z\u{e000}").await;
    page.is(TEXT, &*own).await;
    // Add a term can be undone as well.
    page.click("#add-term").await;
    page.wait("one('[data-term=my_term]')").await;
    page.type_into("#text", "\u{e009}z\u{e000}").await;
    page.is(TEXT, &*own).await;
    // A guide has an engine of its own; a new game gives the user's back, also one with a mistake.
    let own = own + "= =";
    page.fill("text", &own).await;
    page.wait("has('mistake', 'Line')").await;
    page.type_into("[data-term=pawns] input[type=range]", "\u{e012}").await;
    page.click("[data-guide='1']").await;
    page.wait("one('[data-term=opposition]')").await;
    page.reload().await;
    page.click("#new-game").await;
    page.is(TEXT, &*own).await;
    page.is("one('[data-term=pawns] output').textContent", "95 %").await;
    // The list of earlier texts survives a reload, and the back button brings back what a choice replaces.
    page.fill("examples", "start").await;
    page.is(TEXT, &*shipped).await;
    page.reload().await;
    page.wait("$('earlier').options[1].text.startsWith('own, ')").await;
    page.value("(window.pages = history.length)").await;
    page.fill("earlier", "0").await;
    page.is(TEXT, own).await;
    page.wait("history.length > window.pages").await;
    page.client.back().await.unwrap();
    page.is(TEXT, shipped).await;
    // A file that is loaded starts at 100 percent, and is saved with the new ones.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/miser.toml");
    let file = std::fs::canonicalize(file).unwrap();
    let slider = "[data-term=threats] input[type=range]";
    let percent = "one('[data-term=threats] output').textContent";
    page.type_into(slider, "\u{e012}").await;
    page.is(percent, "95 %").await;
    page.type_into("#load", file.to_str().unwrap()).await;
    page.is(TEXT, std::fs::read_to_string(file).unwrap()).await;
    page.is(percent, "100 %").await;
    page.type_into(slider, "\u{e012}").await;
    page.value("catchTexts()").await;
    page.click("#save").await;
    page.wait("window.saved").await;
    let saved = page.text("window.saved").await;
    let engine = tropism::eval::Engine::parse(&saved, "saved", &tropism::terms::registry());
    // The file has 200 percent, of which the slider leaves 95.
    assert_eq!(engine.unwrap().percent("threats"), Some(190));
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn texts_with_mistakes_take_nothing_with_them() {
    let page = Page::game().await;
    // The last good file goes on evaluating, also after a reload.
    page.write(&OWN.replace("'pawns'", "'pawns', 'nothing'")).await;
    page.wait("has('mistake', 'nothing') && one('[data-term=threats]')").await;
    page.reload().await;
    page.wait("has('mistake', 'nothing') && one('[data-term=threats]')").await;
    // So does it with one that is too long, and with what another program has left in the store.
    page.fill("text", &"#".repeat(300_000)).await;
    page.wait("has('mistake', 'at most 128 KiB')").await;
    page.play("e2 e4 e7 e5", "1.e4 e5").await;
    page.value("localStorage['tropism.texts'] = '[null]'").await;
    page.reload().await;
    page.moves("1.e4 e5").await;
    page.fill("text", OWN).await;
    page.is("$('mistake').textContent", "").await;
    // A text in PGN with a fault stays in its field, and the game on the board is exported.
    let faulty = "1. e4 e5 2. Ke3 Nc6 3. d4 *";
    page.read_pgn(faulty, "1.e4 e5").await;
    page.wait("has('problem', 'Ke3')").await;
    page.play("g1 f3", "1.e4 e5 2.Nf3").await;
    page.value("catchTexts()").await;
    page.click("#copy-pgn").await;
    page.click("#save-pgn").await;
    page.wait("copied.includes('2.Nf3 *') && saved === copied").await;
    page.is("$('pgn').value", faulty).await;
    page.read_pgn(&"x".repeat(6000), "1.e4 e5 2.Nf3").await;
    page.wait(&format!("{PROBLEM} && rect('#problem').height < 150")).await;
    page.read_pgn(&"Nf3 Nf6 Ng1 Ng8 ".repeat(251), "1.e4 e5 2.Nf3").await;
    page.wait("has('problem', 'more than 1000 moves')").await;
    // The list of games and the mistake of a text come with its game.
    page.read_pgn("1. e4 Ke7 1-0\n\n[FEN \"bad\"]\n\n1. d4 *", "1.e4").await;
    page.is("$('games').options.length", 2).await;
    page.fill("games", "2").await;
    page.wait("has('problem', 'correct the tag') && $('games').value === '1'").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn engine_and_defender_answer_and_what_happens_meanwhile_is_not_lost() {
    let page = Page::game().await;
    // A text that is pasted while another one is read stays.
    let read = "fill('pgn', '1. e4 e5 2. Nf3 *'), $('read-pgn').click()";
    page.value(&format!("({read}, fill('pgn', '1. d4 *'))")).await;
    page.moves("1.e4 e5 2.Nf3").await;
    page.is("$('pgn').value", "1. d4 *").await;
    // The engine that thinks about the game before does not move in the one that is read.
    page.fill("player-black", "3").await;
    page.press("new-game", "").await;
    page.value(&format!("(click('d2 d4'), {read})")).await;
    page.moves("1.e4 e5 2.Nf3").await;
    page.is("$('player-black').value", "you").await;
    page.play("b8 c6", "1.e4 e5 2.Nf3 Nc6").await;
    page.fill("player-black", "3").await;
    page.press("new-game", "").await;
    page.click("#search-on").await;
    page.squares("e2 e4").await;
    page.wait("count('#moves .path') === 2 && has('lines', '2.') && one('#best line')").await;
    page.click("#search-on").await;
    // The own move is taken back with the one of the engine.
    page.press("back", "").await;
    // The board is turned while the engine thinks.
    page.squares("e2 e4").await;
    page.click("#flip").await;
    page.wait(TWO).await;
    // An engine that is chosen inside a game moves, and who goes back may move for it.
    page.read_pgn("1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3").await;
    page.press("first", "").await;
    page.fill("player-white", "3").await;
    page.wait("played() && !played().includes(' ')").await;
    page.press("back", "").await;
    page.play("c2 c3", "1.c3").await;
    // In a lesson, too.
    page.click("[data-ending=KQK]").await;
    page.wait("see('lesson')").await;
    page.squares(&page.text("one('#board .movable').dataset.square").await).await;
    page.squares(&page.text("one('#board .target button').dataset.square").await).await;
    page.wait(TWO).await;
    page.press("back", "").await;
    // A lesson that is left before it is there does not come: its thread answers in the order of the questions.
    page.value("(one('[data-ending=KQK]').click(), $('new-game').click())").await;
    page.read_pgn("1. c4 *", "1.c4").await;
    page.wait("$('lesson').hidden").await;
    // What is drawn belongs to the move that is shown.
    page.drag("c4", "d5", MOUSE_BUTTON_RIGHT).await;
    page.wait("$('pgn').value.includes('1.c4 {[%cal Gc4d5]}')").await;
    // A browser that does not take the address now takes it later.
    page.value("refuseAddress()").await;
    page.key("Home", "").await;
    page.wait("window.refused && delete history.replaceState").await;
    page.wait("location.hash !== window.refused").await;
    page.reload().await;
    page.wait("played() === '' && has('moves', '1.c4')").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn comments_stay_with_their_position_and_finished_games_as_they_are() {
    let page = Page::game().await;
    // A comment alone is worth to be kept.
    page.type_into("#comment", "plans").await;
    page.read_pgn("1. f3 e5 2. g4 d5 (2... Qh4#) 3. a3 1-0", "1.f3 e5 2.g4 d5 3.a3").await;
    // The engine does not go on with a game that has ended.
    page.press("first", "").await;
    page.fill("player-black", "3").await;
    page.value("listen()").await;
    page.key("End", "1.f3 e5 2.g4 d5 3.a3").await;
    page.click("#tab-coach-panel").await;
    page.wait("asked.includes('assess') && !asked.includes('move') && !has('verdict', '…')").await;
    // A mate in a variation is not its result.
    page.click("#moves .variation button").await;
    page.wait("has('status', 'checkmate') && $('pgn').value.includes('[Result \"1-0\"]')").await;
    page.fill("player-black", "you").await;
    page.back("").await;
    let noted = "$('moves').textContent.trim()";
    page.is(noted, "plans").await;
    // The comment that is written belongs to the game that is shown, and to the move on which it was begun.
    page.press("new-game", "").await;
    page.play("d2 d4", "1.d4").await;
    page.reload().await;
    page.type_into("#comment", "here").await;
    page.back("").await;
    page.is(noted, "plans").await;
    page.type_into("#comment", " and ideas").await;
    page.is(noted, "plans and ideas").await;
    page.fill("player-black", "3").await;
    page.value("(document.activeElement.blur(), click('d2 d4'), $('comment').focus())").await;
    page.wait(TWO).await;
    page.type_into("#comment", "solid").await;
    page.wait("has('moves', '1.d4 solid ')").await;
    page.close().await;
}
