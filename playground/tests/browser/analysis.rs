//! The board that players know: moves and variations, lines, arrows, the coach, the review, tasks.

use crate::{HEIGHT, WIDTH, driver::Page};
use fantoccini::actions::MOUSE_BUTTON_RIGHT;
use serde_json::json;
use tropism_playground::Server;

const LIST: &str = "$('moves').innerText.replace(/\\s+/g, ' ').trim()";
const PROBLEM: &str = "$('problem').textContent";
const NOTED: &str = "[White \"A\"]\n\n{A game.} 1. e4 {[%cal Gd2d4,Rg1f3] best} e5! (1... c5 2. Nf3 (2. c3 d5)) 2. Nf3 $2 Nc6 1-0";

impl Page {
    pub(crate) async fn read_pgn(&self, text: &str) {
        self.fill("#pgn", text).await;
        self.click("#read-pgn").await;
    }

    pub(crate) async fn key(&self, key: &str) {
        self.value(&format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_moves_are_a_tree() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    for (from, to, moves) in
        [("e2", "e4", "1.e4"), ("e7", "e5", "1.e4 e5"), ("g1", "f3", "1.e4 e5 2.Nf3")]
    {
        page.play(from, to).await;
        page.wait_moves(moves).await;
    }
    page.click("#back").await;
    page.wait_moves("1.e4 e5").await;
    page.key("ArrowLeft").await;
    page.wait_moves("1.e4").await;
    // Another move starts a variation; the line is still there.
    page.play("c7", "c5").await;
    page.wait_moves("1.e4 1...c5").await;
    assert_eq!(page.text(LIST).await, "1.e4 e5 ( 1...c5 ) 2.Nf3");
    page.key("Home").await;
    page.wait_moves("").await;
    page.key("End").await;
    page.wait_moves("1.e4 e5 2.Nf3").await;
    // A reload keeps all of it, and the position that was shown.
    page.click("#moves .variation button").await;
    page.wait_moves("1.e4 1...c5").await;
    page.reload().await;
    assert_eq!(page.text(LIST).await, "1.e4 e5 ( 1...c5 ) 2.Nf3");
    assert_eq!(page.text("played()").await, "1.e4 1...c5");
    page.click("#promote").await;
    page.wait(&format!("{LIST} === '1.e4 c5 ( 1...e5 2.Nf3 )'")).await;
    // What is deleted comes back with the game before.
    page.click("#delete").await;
    page.wait(&format!("{LIST} === '1.e4 e5 2.Nf3'")).await;
    page.click("#first").await;
    page.wait_moves("").await;
    page.click("#game-before").await;
    page.wait(&format!("{LIST} === '1.e4 c5 ( 1...e5 2.Nf3 )'")).await;
    // After a click on the board the arrow keys go through the game, by keyboard from square to square.
    page.square("a4").await;
    page.type_into("#board [data-square=a4]", "\u{e012}").await;
    page.wait_moves("1.e4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pgn_keeps_comments_variations_and_drawings() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.read_pgn(NOTED).await;
    let list = "A game. 1.e4 best 1...e5! ( 1...c5 2.Nf3 ( 2.c3 d5 ) ) 2.Nf3? Nc6";
    page.wait(&format!("{LIST} === '{list}'")).await;
    let written = page.text("$('pgn').value").await;
    for part in [
        "[White \"A\"]",
        "[Result \"1-0\"]",
        "{A game.}",
        "{best} {[%cal Gd2d4,Rg1f3]}",
        "(1...c5 2.Nf3 (2.c3 d5))",
        "2.Nf3 $2 Nc6 1-0",
    ] {
        assert!(written.replace('\n', " ").contains(part), "{part}: {written}");
    }
    page.click("#moves button").await;
    page.wait("count('#drawn polygon') === 2").await;
    // A comment of the user's own.
    page.type_into("#comment", " move").await;
    page.wait("$('pgn').value.includes('{best move}')").await;
    page.reload().await;
    let list = list.replace("best", "best move");
    assert_eq!(page.text(LIST).await, list);
    // What the page has written can be read.
    let written = page.text("$('pgn').value").await;
    page.click("#new-game").await;
    page.wait_moves("").await;
    page.read_pgn(&written).await;
    page.wait(&format!("{LIST} === '{list}'")).await;
    // A text with two games, the second with German letters.
    page.read_pgn("1. e4 c5 1-0 1. d4 Sf6 *").await;
    page.wait_moves("1.e4 c5").await;
    page.fill("#games", "2").await;
    page.wait_moves("1.d4 Nf6").await;
    assert!(page.text("$('pgn').value").await.contains("Sf6"));
    // Another game has the field for itself, also one of the list.
    page.click("#new-game").await;
    page.wait("$('pgn').value.includes('tropism playground')").await;
    page.fill("#games", "1").await;
    page.wait("$('pgn').value.includes('1.e4 c5 1-0')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_the_search_can_be_clicked() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.fill("#line-count", "3").await;
    page.click("#search-on").await;
    page.wait("count('#lines li') === 3 && Number($('depth').textContent) >= 6").await;
    page.wait("one('#lines button').textContent.startsWith('1.')").await;
    page.wait("$('bar').ariaLabel.startsWith('Evaluation: +') && one('#best polygon')").await;
    page.click("#lines li:nth-child(2) button:nth-child(2)").await;
    page.wait("played().split(' ').length === 2").await;
    page.wait("one('#lines button')?.textContent.startsWith('2.')").await;
    // A server that is busy says so, and the search begins when it can.
    page.fail_once("/api/search", 503).await;
    page.click("#back").await;
    page.wait("$('search-says').textContent === 'Failed for a test.'").await;
    page.wait("Number($('depth').textContent) >= 2").await;
    page.value("new Promise((resolve) => setTimeout(resolve, 50))").await;
    // A browser that leaves ends its search.
    page.client.goto("about:blank").await.unwrap();
    while page.server.searches() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    page.client.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn arrows_and_circles_are_drawn_and_cleared() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.drag("e2", "e4", MOUSE_BUTTON_RIGHT).await;
    page.wait("one('#drawn polygon')").await;
    page.drag("d5", "d5", MOUSE_BUTTON_RIGHT).await;
    page.wait("one('#drawn circle')").await;
    page.reload().await;
    page.wait("count('#drawn .shape') === 2").await;
    // To take up a piece and put it down leaves them; a click that does nothing else clears them.
    page.square("e2").await;
    page.square("e2").await;
    assert_eq!(page.value("count('#drawn .shape')").await, json!(2));
    page.square("a3").await;
    page.wait("!one('#drawn .shape')").await;
    // By keyboard: C on a square, A from square to square.
    page.value("one('#board [data-square=a3]').focus()").await;
    page.type_into("#board [data-square=a3]", "\u{e007}ca").await;
    page.type_into("#board [data-square=a3]", "\u{e014}").await;
    page.type_into("#board [data-square=b3]", "a").await;
    page.wait("count('#drawn .shape') === 2").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_speaks_first() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.set("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1").await;
    page.wait("$('verdict').textContent === 'White mates in 1 move.'").await;
    let order = "[...document.querySelectorAll('#verdict, #search-box, #terms, #text')].map(({ id }) => id).join()";
    assert_eq!(page.text(order).await, "verdict,search-box,terms,text");
    assert!(page.text("$('advice').innerText").await.starts_with("Best: 1.Qxf7# (#1)"));
    // Terms without a contribution are folded, and none is lost.
    page.wait("$('idle-terms').children.length < count('.term')").await;
    assert_eq!(page.value("$('idle').open").await, false);
    page.click("#advice button").await;
    page.wait_moves("1.Qxf7#").await;
    page.wait("$('verdict').textContent.startsWith('The game is over')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_reviewed() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.read_pgn("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").await;
    page.wait_moves("1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7#").await;
    page.click("#review").await;
    page.wait("one('#graph .blunder')").await;
    let blunder =
        "[...$('mistakes').querySelectorAll('button')].find((e) => e.textContent === '3...Nf6??')";
    page.wait(blunder).await;
    page.draw("review", "#search-box").await;
    page.value(&format!("{blunder}.click()")).await;
    page.wait_moves("1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6??").await;
    assert!(page.text("$('pgn').value").await.contains("Nf6 $4"));
    // Another move makes the graph old.
    page.click("#last").await;
    page.click("#delete").await;
    page.wait("$('graph-box').hidden").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_follows_the_window_and_promotes_on_its_squares() {
    let Some(page) = Page::open(1900, 1300, false).await else { return };
    let width = "Math.round(rect('#board').width)";
    assert!(page.value(width).await.as_f64().unwrap() > 850.0);
    // The window of a small laptop: the board stays in sight beside the editor.
    page.client.set_window_size(1366, 768).await.unwrap();
    page.wait(&format!("{width} < 560 && {width} > 350")).await;
    page.value("$('writing').scrollIntoView()").await;
    page.wait("scrollY > 100 && rect('#board').top >= 0").await;
    // The move on the board is in sight, whatever the size of the window and the length of the game.
    let steps = [(3, 6), (4, 5)].map(|(white, black)| {
        ('a'..='h').map(|file| format!("{file}{white} {file}{black} ")).collect::<String>()
    });
    page.read_pgn(&steps.concat()).await;
    page.wait("count('#moves .path') === 32").await;
    page.click("[data-term=mobility] input[type=radio]").await;
    page.wait("$('drawing').checkVisibility()").await;
    page.value("scrollTo(0, 0)").await;
    for (width, height) in [(1366, 768), (1280, 690), (1024, 740), (500, 900)] {
        page.client.set_window_size(width, height).await.unwrap();
        for (key, san) in [("Home", "1.a3"), ("End", "h5")] {
            page.key(key).await;
            page.key("ArrowRight").await;
            let shown = "(({ x, y }) => document.elementFromPoint(x + 5, y + 10))(rect('#moves [aria-current]'))";
            page.wait(&format!(
                "{shown}?.ariaCurrent === 'true' && {shown}.textContent === '{san}'"
            ))
            .await;
        }
    }
    page.set("8/1P6/8/8/7k/8/8/4K3 w - - 0 1").await;
    page.wait("one('#board [data-square=b7] svg')").await;
    page.play("b7", "b8").await;
    page.wait("$('promotion').open").await;
    let place = |of: &str| format!("(({{ x, y }}) => [x, y].map(Math.round).join())(rect('{of}'))");
    page.wait(&format!("{} === {}", place("#promotion button"), place("[data-square=b8]"))).await;
    assert_eq!(page.value("count('#promotion svg')").await, json!(4));
    page.type_into("#promotion button", "\u{e00c}").await;
    page.wait("!$('promotion').open && played() === ''").await;
    page.play("b7", "b8").await;
    page.click("#promotion button[value=r]").await;
    page.wait_moves("1.b8=R").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_completes_explains_and_shows_every_mistake() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.write("name = 'own'\nbase = 'tropism'\n[a]\ndoc = 'A.'\n[a.b]\nunit = 'moves'\nworth = [1, 1]\ncount = \"knight_dis").await;
    page.wait("!$('words').hidden && $('words').textContent.includes('knight_distance(')").await;
    // The list is in the window, also under the last line of it.
    page.value("scrollTo(0, rect('#text').top + scrollY + 240 - innerHeight)").await;
    page.type_into("#text", "t").await;
    let shown = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(rect('#words'))";
    page.wait(&format!("!$('words').hidden && {shown}")).await;
    page.type_into("#text", "\u{e007}(own.king, enemy.kng)\"\n[c]\ndoc = 'C.'\n[c.d]\nunit = 'x'\nworth = [1, 1]\ncount = \"nothing\"").await;
    page.wait("$('text').value.includes('knight_distance(own.king, enemy.kng)')").await;
    page.wait("count('#marks mark') === 2").await;
    assert_eq!(page.value("count('#numbers .wrong')").await, json!(2));
    assert_eq!(page.value("count('#mistake button')").await, json!(2));
    assert_eq!(page.value("CSS.highlights.get('section').size").await, json!(4));
    // The words stand beside it.
    page.type_into("#word-filter", "opposition").await;
    page.wait("[...$('word-list').children].length >= 4 && $('word-list').textContent.includes('is_opposition')").await;
    // An example is inserted, and what is there stays.
    page.fill("#insert-term", "safe_forks").await;
    page.wait("$('text').value.includes('[safe_forks]') && $('text').value.includes('[a.b]')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_hides_the_evaluation_until_it_is_asked_for() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.set("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1").await;
    page.type_into("#task-text", "<b>White</b> to play and win").await;
    page.wait("$('task-shown').textContent === '<b>White</b> to play and win'").await;
    page.reload().await;
    let is_hidden = "!$('verdict').checkVisibility()";
    page.wait(is_hidden).await;
    assert_eq!(page.text("$('task-shown').textContent").await, "<b>White</b> to play and win");
    assert_eq!(page.text("$('verdict').textContent").await, "The coach waits until you ask.");
    page.click("#reveal").await;
    page.wait(&format!("!({is_hidden}) && $('verdict').textContent === 'White mates in 1 move.'"))
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lessons_get_harder_and_the_last_one_defends() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    let order =
        "[...$('lesson-list').querySelectorAll('button')].map((e) => e.dataset.ending).join()";
    assert_eq!(page.text(order).await, "KQK,KRK,KPK,KBBK,KBNK,KPK-draw");
    page.click("[data-ending=KPK-draw]").await;
    page.wait("$('lesson-name').textContent.includes('hold the draw with Black')").await;
    assert_eq!(page.text("one('#board button').dataset.square").await, "h1");
    page.click("#hint-arrow").await;
    page.wait("one('#best polygon') && $('announce').textContent.startsWith('The arrow shows')")
        .await;
    page.click("#hint").await;
    page.wait("one('#hints li')").await;
    // The move of the arrow holds, and White answers.
    let to = page.text("(() => { const [, x, y] = /K([a-h])([1-8])/.exec($('announce').textContent); return x + y; })()").await;
    let from = page.text("one('#board [data-piece=bk]').dataset.square").await;
    page.play(&from, &to).await;
    page.wait("played().split(' ').length === 2 && $('way').value > 0").await;
    assert!(page.text("$('lesson-cost').textContent").await.contains("there is no better move"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_the_back_button_sleep_and_a_new_server_lose_nothing() {
    let Some(mut page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    // The back button leads to the game before, forward to the next one.
    page.value("window.pages = history.length").await;
    page.set("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1").await;
    page.wait("history.length > window.pages").await;
    page.client.back().await.unwrap();
    page.wait_moves("1.e4").await;
    // Also where the address follows slowly.
    page.value("window.before = location.hash").await;
    page.value(
        "(window.Real = CompressionStream, window.CompressionStream = class { constructor(format) { \
         const { readable, writable } = new window.Real(format); \
         const transform = (chunk, to) => new Promise((resolve) => setTimeout(resolve, 500)).then(() => to.enqueue(chunk)); \
         Object.assign(this, { writable, readable: readable.pipeThrough(new TransformStream({ transform })) }); } })",
    )
    .await;
    page.client.execute("history.forward()", vec![]).await.unwrap();
    page.wait("$('fen').value.startsWith('8/8/4k3')").await;
    page.client.back().await.unwrap();
    page.wait_moves("1.e4").await;
    page.value("new Promise((resolve) => setTimeout(resolve, 600))").await;
    assert_eq!(page.value("location.hash === window.before").await, true);
    // A second tab keeps its own game; the texts of both are in both lists.
    let first = page.client.window().await.unwrap();
    let second = page.client.new_window(true).await.unwrap();
    page.client.switch_to_window(second.handle).await.unwrap();
    page.go("").await;
    page.play("d2", "d4").await;
    page.wait_moves("1.d4").await;
    page.write("name = 'own'\nbase = 'tropism'\n# of the second tab").await;
    page.fill("#examples", "minimal").await;
    page.client.switch_to_window(first).await.unwrap();
    page.wait("$('earlier').options[1]?.text.startsWith('own, ')").await;
    assert_eq!(page.text("played()").await, "1.e4");
    // The computer sleeps during a search, and the server is another one when it wakes.
    page.click("#search-on").await;
    page.wait("Number($('depth').textContent) >= 3").await;
    page.devtools("Page.setWebLifecycleState", json!({ "state": "frozen" })).await;
    let port = page.server.port();
    page.server = Server::start(0).unwrap();
    page.devtools("Page.setWebLifecycleState", json!({ "state": "active" })).await;
    page.wait("$('connection').checkVisibility()").await;
    page.play("c7", "c5").await;
    page.server = Server::start(port).unwrap();
    page.wait_moves("1.e4 c5").await;
    page.wait("!$('connection').checkVisibility() && Number($('depth').textContent) >= 3").await;
    assert_eq!(page.text(PROBLEM).await, "");
    // The console tells of the lost connection, which is no fault of the page.
    page.client.close().await.unwrap();
}
