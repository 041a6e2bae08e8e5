//! Nothing that the user has done is lost: wrong input, a slow or broken network, replaced texts, reloads.

use crate::{HEIGHT, WIDTH, driver::Page};
use fantoccini::{Locator, actions::MOUSE_BUTTON_RIGHT};
use serde_json::json;

const MOVES: &str = "played()";
const PROBLEM: &str = "$('problem').textContent";
const TEXT: &str = "$('text').value";
const FEN: &str = "$('fen').value";
const OWN: &str = "name = 'own'\nbase = 'tropism'\nterms = ['material', 'pawns']\n";

impl Page {
    pub(crate) async fn play(&self, from: &str, to: &str) {
        self.square(from).await;
        self.square(to).await;
    }

    /// Waits until these moves are on the board and the server has answered.
    pub(crate) async fn wait_moves(&self, moves: &str) {
        self.wait(&format!("{MOVES} === '{moves}' && $('board').ariaBusy === 'false'")).await;
    }

    /// From now on every request takes so many milliseconds longer.
    async fn slow(&self, milliseconds: u32) {
        self.value(&format!(
            "(window.real ??= window.fetch, window.fetch = (...all) => \
             new Promise((resolve) => setTimeout(resolve, {milliseconds})).then(() => window.real(...all)))"
        ))
        .await;
    }

    /// The next request to an address is answered with a problem.
    pub(crate) async fn fail_once(&self, path: &str, status: u16) {
        self.value(&format!(
            "(window.real ??= window.fetch, window.fetch = (path, ...rest) => path !== '{path}' ? window.real(path, ...rest) : \
             (window.fetch = window.real, Promise.resolve(Response.json({{ problem: 'failed for a test' }}, {{ status: {status} }}))))"
        ))
        .await;
    }

    /// Sets a position by its FEN.
    pub(crate) async fn set(&self, fen: &str) {
        self.fill("#fen", fen).await;
        self.click("#read-fen").await;
    }

    pub(crate) async fn reload(&self) {
        // The address follows a moment after the state.
        let mut before = None;
        while before != Some(self.text("location.hash").await) {
            before = Some(self.text("location.hash").await);
            self.value("new Promise((resolve) => setTimeout(resolve, 300))").await;
        }
        self.client.refresh().await.unwrap();
        self.wait("!document.body.inert").await;
    }

    /// Writes an engine file into the editor as a user does.
    pub(crate) async fn write(&self, text: &str) {
        self.value("$('text').select()").await;
        self.type_into("#text", text).await;
        self.wait(&format!("{TEXT}.startsWith(\"name = 'own'\")")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_position_is_refused_and_the_game_goes_on() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    page.play("e7", "e5").await;
    page.wait_moves("1.e4 e5").await;
    page.set("8/8/8/8/8/8/8 w - - 0 1").await;
    page.wait(&format!("{PROBLEM}.includes('position')")).await;
    // What the user wrote stays, to be corrected.
    assert_eq!(page.text(FEN).await, "8/8/8/8/8/8/8 w - - 0 1");
    page.play("g1", "f3").await;
    page.wait_moves("1.e4 e5 2.Nf3").await;
    assert_eq!(page.text(PROBLEM).await, "");
    page.set("no position").await;
    page.wait(&format!("{PROBLEM} !== ''")).await;
    page.reload().await;
    assert_eq!(page.text(MOVES).await, "1.e4 e5 2.Nf3");
    assert_eq!(page.text(PROBLEM).await, "");
    page.click("#back").await;
    page.wait_moves("1.e4 e5").await;
    // Another position replaces the game, and Undo brings it back, also after a reload.
    page.set("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1").await;
    page.wait_moves("").await;
    // A third one as well: the way back leads through all of them.
    page.set("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1").await;
    page.click("#game-before").await;
    page.wait("$('fen').value.includes('4P3/8/8 b')").await;
    page.reload().await;
    page.click("#game-before").await;
    page.wait_moves("1.e4 e5").await;
    page.click("#new-game").await;
    page.wait_moves("").await;
    page.click("#game-before").await;
    page.wait_moves("1.e4 e5").await;
    // So it does after a set-up that is no position.
    page.click("#set-up").await;
    page.click("#clear-board").await;
    page.wait(&format!("{PROBLEM} !== ''")).await;
    // Another panel or a reload does not end it.
    page.click("#palette input[value=wk]").await;
    page.square("h5").await;
    page.click("[data-panel=lessons-panel]").await;
    page.click("#flip").await;
    page.click("#flip").await;
    page.wait("$('status').textContent === ''").await;
    assert!(page.text(PROBLEM).await.contains("no position"));
    page.reload().await;
    assert_eq!(page.text("one('[data-square=h5]').dataset.piece").await, "wk");
    assert_eq!(page.value("count('#board svg')").await, 1);
    // Nor does a click on a move.
    page.click("#moves button").await;
    page.wait(&format!("{PROBLEM} === 'Press Set up to end the set-up first.'")).await;
    assert_eq!(page.value("count('#board svg')").await, 1);
    page.click("#set-up").await;
    page.wait(&format!("{PROBLEM}.includes('the board shows the last one')")).await;
    assert_eq!(page.text(MOVES).await, "1.e4 e5");
    page.play("g1", "f3").await;
    page.wait_moves("1.e4 e5 2.Nf3").await;
    // One that is finished is the position, until a game replaces it.
    page.click("#set-up").await;
    page.click("#clear-board").await;
    page.wait(&format!("{PROBLEM}.includes('no position')")).await;
    for (piece, square) in [("wk", "e1"), ("bk", "h4"), ("wp", "b7")] {
        page.click(&format!("#palette input[value={piece}]")).await;
        page.square(square).await;
    }
    page.click("#setup-panel input[name=turn][value=w]").await;
    page.wait(&format!("{FEN} === '8/1P6/8/8/7k/8/8/4K3 w - - 0 1'")).await;
    page.wait(&format!("{PROBLEM} === ''")).await;
    page.read_pgn("1. e4 e5 2. Nf3 Nc6 *").await;
    page.wait_moves("1.e4 e5 2.Nf3 Nc6").await;
    // A link to a position that is none: the page says so and works.
    let link = "new Response(new Blob([JSON.stringify({ s: '8/8 w - - 0 1', m: 'e2e4', w: { black: null } })]).stream()\
        .pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer()\
        .then((b) => btoa(String.fromCharCode(...new Uint8Array(b))))";
    let link = page.text(&format!("await ({link})")).await;
    page.go(&format!("#p={}", link.replace('+', "-").replace('/', "_"))).await;
    assert_ne!(page.text(PROBLEM).await, "");
    assert_eq!(page.text("$('player-black').value").await, "you");
    page.play("d2", "d4").await;
    page.wait_moves("1.d4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_wait_for_a_slow_network_and_for_a_lost_server() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.slow(3000).await;
    // Four clicks before the first answer: one move.
    for square in ["e2", "e4", "d2", "d4"] {
        page.square(square).await;
    }
    page.wait("$('status').textContent.startsWith('Waiting')").await;
    // The board shows the move already.
    page.wait("one('[data-square=e4]').dataset.piece === 'wp'").await;
    page.wait_moves("1.e4").await;
    page.wait("$('status').textContent === 'Black to move.'").await;
    assert_eq!(page.text(PROBLEM).await, "");
    // A slider does not drop a move that is under way.
    page.play("c7", "c5").await;
    page.type_into("[data-term=pawns] input[type=range]", "\u{e012}").await;
    page.wait_moves("1.e4 c5").await;
    // Nor does a server that is away.
    page.value("window.fetch = () => Promise.reject(new TypeError('gone'))").await;
    page.play("g1", "f3").await;
    page.wait("$('connection').checkVisibility()").await;
    page.play("d2", "d4").await;
    page.value("window.fetch = window.real").await;
    page.wait_moves("1.e4 c5 2.Nf3").await;
    page.wait("!$('connection').checkVisibility()").await;
    // A move that the server refuses is taken back.
    page.fail_once("/api/evaluate", 200).await;
    page.play("d7", "d6").await;
    page.wait(&format!("{PROBLEM} === 'Failed for a test.'")).await;
    assert_eq!(page.text(MOVES).await, "1.e4 c5 2.Nf3");
    page.wait("one('[data-square=d7]').dataset.piece === 'bp'").await;
    page.play("d7", "d6").await;
    page.wait_moves("1.e4 c5 2.Nf3 d6").await;
    // In a lesson too.
    page.click("[data-ending=KQK]").await;
    page.wait("!$('lesson').hidden").await;
    page.value("window.fetch = () => Promise.reject(new TypeError('gone'))").await;
    page.click("#hint").await;
    page.wait("$('connection').checkVisibility()").await;
    page.value("window.fetch = window.real").await;
    page.wait("one('#hints li')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_text_comes_back() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    let shipped = page.text(TEXT).await;
    page.write(OWN).await;
    let own = page.text(TEXT).await;
    page.wait("!one('[data-term=mobility]')").await;
    // "choose" is no text.
    page.fill("#examples", "").await;
    assert_eq!(page.text(TEXT).await, own);
    page.fill("#examples", "minimal").await;
    page.wait("one('[data-term=safe_forks]')").await;
    page.value("$('text').focus()").await;
    page.type_into("#text", "\u{e009}z\u{e000}").await;
    page.wait(&format!("{TEXT} === {}", json!(own))).await;
    // Add a term can be undone as well.
    page.click("#add-term").await;
    page.wait("one('[data-term=my_term]')").await;
    page.type_into("#text", "\u{e009}z\u{e000}").await;
    page.wait(&format!("{TEXT} === {}", json!(own))).await;
    // A guide has an engine of its own; a new game gives the user's back, also one with a mistake.
    let own = own + "= =";
    page.fill("#text", &own).await;
    page.wait("$('mistake').textContent !== ''").await;
    page.type_into("[data-term=pawns] input[type=range]", "\u{e012}").await;
    page.click("[data-guide='1']").await;
    page.wait("one('[data-term=opposition]')").await;
    page.reload().await;
    page.click("#new-game").await;
    page.wait(&format!("{TEXT} === {}", json!(own))).await;
    page.wait("one('[data-term=pawns] output').textContent === '95 %'").await;
    assert_eq!(page.value("$('guide').hidden").await, true);
    // The list of earlier texts survives a reload.
    let first = page.text("$('examples').options[1].value").await;
    page.fill("#examples", &first).await;
    page.wait(&format!("{TEXT} === {}", json!(shipped))).await;
    page.reload().await;
    assert!(page.text("$('earlier').options[1].text").await.starts_with("own, "));
    page.fill("#earlier", "0").await;
    page.wait(&format!("{TEXT} === {}", json!(own))).await;
    page.client.back().await.unwrap();
    page.wait(&format!("{TEXT} === {}", json!(shipped))).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sliders_mistakes_and_games_survive() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    // A mistake in the editor: the last good file goes on evaluating, also after a reload.
    page.write(&OWN.replace("'pawns'", "'pawns', 'nothing'")).await;
    page.wait("$('mistake').textContent.includes('nothing')").await;
    let shown = "[...document.querySelectorAll('.term')].map((e) => e.textContent).sort().join()";
    let terms = page.text(shown).await;
    assert!(terms.contains("threats"), "{terms}");
    page.reload().await;
    assert_eq!(page.text(shown).await, terms);
    assert!(page.text("$('mistake').textContent").await.contains("nothing"));
    // A game with a fault stays in its field, and one that is too long is refused with a sentence.
    let faulty = "1. e4 e5 2. Ke3 Nc6 3. d4 *";
    page.read_pgn(faulty).await;
    page.wait_moves("1.e4 e5").await;
    assert!(page.text(PROBLEM).await.contains("Ke3"));
    page.play("g1", "f3").await;
    page.wait_moves("1.e4 e5 2.Nf3").await;
    assert_eq!(page.text("$('pgn').value").await, faulty);
    page.read_pgn(&"Nf3 Nf6 Ng1 Ng8 ".repeat(251)).await;
    page.wait(&format!("{PROBLEM}.includes('more than 1000 moves')")).await;
    assert_eq!(page.text(MOVES).await, "1.e4 e5 2.Nf3");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_says_what_it_does_not_do() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    let said = "$('announce').textContent";
    // A piece stays taken up only as long as it can move.
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    page.click("#back").await;
    page.square("g1").await;
    page.key("ArrowRight").await;
    page.wait("!one('#board td.selected')").await;
    page.click("#back").await;
    page.play("e2", "e5").await;
    assert_eq!(page.text(said).await, "e2 to e5 is no legal move.");
    // A drawing is removed with the keyboard.
    let radio = "[data-term=pawns] input[type=radio]";
    page.click(radio).await;
    page.wait(&format!("one('{radio}').checked")).await;
    page.type_into(radio, "\u{e017}").await;
    page.wait(&format!("!one('{radio}').checked")).await;
    // The set-up is told.
    page.click("#set-up").await;
    page.click("#palette input[value=wn]").await;
    page.square("e4").await;
    page.wait(&format!("{said} === 'white knight on e4.'")).await;
    page.click("#set-up").await;
    // A term may have any name.
    let text = format!(
        "{OWN}[constructor]\ndoc = 'Any name.'\n[constructor.move]\nwhen = 'own.to_move'\nunit = 'the move'\nworth = [1, 1]\n"
    );
    page.write(&text.replace("'pawns'", "'pawns', 'constructor'")).await;
    page.wait("one('[data-term=constructor]')").await;
    let percent = "one('[data-term=constructor] output').textContent";
    assert_eq!(page.text(percent).await, "100 %");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_happens_before_the_answer_is_lost() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.read_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *").await;
    page.wait_moves("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4").await;
    page.slow(1000).await;
    // A text that is pasted while another one is read stays.
    page.read_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *").await;
    page.fill("#pgn", "1. d4 *").await;
    page.wait_moves("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6").await;
    assert_eq!(page.text("$('pgn').value").await, "1. d4 *");
    page.fill("#pgn", "").await;
    // Each press of the arrow key is a step.
    for _ in 0..6 {
        page.key("ArrowLeft").await;
    }
    page.wait_moves("1.e4 e5").await;
    // What is drawn belongs to the move that is shown.
    page.play("f1", "c4").await;
    page.drag("c4", "f7", MOUSE_BUTTON_RIGHT).await;
    page.wait("one('#drawn polygon')").await;
    page.wait_moves("1.e4 e5 2.Bc4").await;
    assert!(page.text("$('pgn').value").await.contains("(2.Bc4 {[%cal Gc4f7]})"));
    // A reload keeps the move, and so do another game and the set-up.
    page.play("b8", "c6").await;
    page.reload().await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6").await;
    page.slow(1000).await;
    page.play("d1", "h5").await;
    page.click("#new-game").await;
    page.wait_moves("").await;
    page.click("#game-before").await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5").await;
    page.play("g8", "f6").await;
    page.click("#set-up").await;
    assert_eq!(page.text("one('[data-square=f6]').dataset.piece").await, "bn");
    page.click("#set-up").await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6").await;
    // The fields are those of the move that is shown.
    page.key("ArrowLeft").await;
    assert!(page.text(FEN).await.ends_with("RNB1K1NR b KQkq - 3 3"));
    page.key("ArrowRight").await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6").await;
    // A guide that is left before it is shown gives the engine back.
    let text = page.text(TEXT).await;
    page.click("[data-guide='1']").await;
    page.wait(&format!("{TEXT}.includes('opposition')")).await;
    page.key("ArrowLeft").await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6").await;
    assert_eq!(page.text(TEXT).await, text);
    // One that is shown gives it back, whatever is pressed meanwhile.
    page.click("[data-guide='1']").await;
    page.wait_moves("").await;
    page.click("#new-game").await;
    page.click("#flip").await;
    page.wait_moves("").await;
    assert_eq!(page.text(TEXT).await, text);
    assert_eq!(page.value("$('guide').hidden").await, true);
    // So do the list of games and the mistake of a text in PGN come with its game.
    page.read_pgn("1. e4 Ke7 1-0\n\n[FEN \"bad\"]\n\n1. d4 *").await;
    page.key("Home").await;
    page.click("#flip").await;
    page.wait("!$('games-label').hidden && $('games').options.length === 2").await;
    page.fill("#games", "2").await;
    page.wait(&format!("{PROBLEM}.includes('correct the tag')")).await;
    assert_eq!(page.text("$('games').value").await, "1");
    page.click("#game-before").await;
    page.wait_moves("").await;
    page.click("#game-before").await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6").await;
    // A position that is refused does not take the move with it.
    page.play("h5", "f7").await;
    page.set("no position").await;
    page.wait(&format!("{PROBLEM} !== ''")).await;
    page.wait_moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7#").await;
    // A browser that does not take the address now takes it later.
    page.value("(window.written = location.hash, history.replaceState = () => {})").await;
    page.key("Home").await;
    page.wait_moves("").await;
    page.value("new Promise((resolve) => setTimeout(resolve, 300))").await;
    page.value("delete history.replaceState").await;
    page.wait("location.hash !== window.written").await;
    page.reload().await;
    assert_eq!(page.text(MOVES).await, "");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_and_the_defender_answer_whatever_is_done_meanwhile() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.fill("#player-black", "3").await;
    page.click("#search-on").await;
    page.play("e2", "e4").await;
    page.wait("played().split(' ').length === 2").await;
    page.wait("one('#lines button')?.textContent.startsWith('2.') && one('#best line')").await;
    // The own move is taken back with the one of the engine, also while that is evaluated.
    page.click("#back").await;
    page.wait_moves("").await;
    page.click("#search-on").await;
    page.slow(500).await;
    page.play("e2", "e4").await;
    page.wait("played().split(' ').length === 2").await;
    page.click("#back").await;
    page.wait_moves("").await;
    // The move is in the game already, and the board is turned while the engine thinks.
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    page.click("#flip").await;
    page.wait("played().split(' ').length === 2").await;
    // An engine that is chosen inside a game moves, and who goes back may move for it.
    page.fill("#player-black", "you").await;
    page.read_pgn("1. e4 e5 2. Nf3 *").await;
    page.wait_moves("1.e4 e5 2.Nf3").await;
    page.click("#first").await;
    page.wait_moves("").await;
    page.fill("#player-white", "3").await;
    page.wait("played().split(' ').length === 1 && played() && $('board').ariaBusy === 'false'")
        .await;
    page.click("#back").await;
    page.wait_moves("").await;
    page.play("c2", "c3").await;
    page.wait_moves("1.c3").await;
    // In a lesson, too.
    page.click("[data-ending=KQK]").await;
    page.wait("!$('lesson').hidden && $('board').ariaBusy === 'false'").await;
    let from = "one('#board button.movable').dataset.square";
    let from = page.text(from).await;
    page.square(&from).await;
    let to = page.text("one('#board td.target button').dataset.square").await;
    page.square(&to).await;
    page.wait("played().split(' ').length === 2 && $('board').ariaBusy === 'true'").await;
    page.click("#back").await;
    page.wait_moves("").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_is_waited_for_and_a_server_that_fails_loses_nothing() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    // A mistake that is too long for the server is one like others, also after a reload.
    page.fill("#text", &"#".repeat(300_000)).await;
    page.wait("$('mistake').textContent.includes('at most 128 KiB')").await;
    page.play("e7", "e5").await;
    page.wait_moves("1.e4 e5").await;
    // What another program has left in the store is no game and no text.
    page.value("sessionStorage['tropism.games'] = localStorage['tropism.texts'] = '[null]'").await;
    page.reload().await;
    assert_eq!(page.text(MOVES).await, "1.e4 e5");
    page.fill("#text", OWN).await;
    page.wait("$('mistake').textContent === ''").await;
    let source = "const real = fetch; window.fetch = async (path, ...rest) => { \
         await new Promise((resolve) => setTimeout(resolve, 500)); \
         return path === '/api/evaluate' && sessionStorage.fails-- > 0 \
         ? Response.json({ problem: 'failed for a test' }, { status: 500 }) : real(path, ...rest); }";
    page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    page.client.refresh().await.unwrap();
    let button = page.client.find(Locator::Css("#new-game")).await.unwrap();
    assert!(button.click().await.is_err());
    page.wait("!document.body.inert").await;
    assert_eq!(page.text(MOVES).await, "1.e4 e5");
    // A game that could not be read is one step back.
    page.value("(sessionStorage.fails = 1)").await;
    page.reload().await;
    assert_eq!(page.text(PROBLEM).await, "Failed for a test.");
    page.wait("count('#board svg') === 32").await;
    page.client.back().await.unwrap();
    // A set-up that is begun meanwhile has the pieces of that game.
    page.click("#set-up").await;
    page.wait("one('[data-square=e4]').dataset.piece === 'wp'").await;
    page.click("#set-up").await;
    page.wait_moves("1.e4 e5").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn comments_stay_with_their_position_and_finished_games_as_they_are() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    // A comment alone is worth to be kept.
    page.type_into("#comment", "plans").await;
    page.fill("#player-black", "3").await;
    page.value("(window.real = window.fetch, window.asked = [], window.fetch = (path, ...rest) => (window.asked.push(path), window.real(path, ...rest)))").await;
    page.read_pgn("1. f3 e5 2. g4 d5 (2... Qh4#) 3. a3 1-0").await;
    page.wait("window.asked.includes('/api/assess') && $('coach').ariaBusy === 'false'").await;
    assert_eq!(page.text(MOVES).await, "1.f3 e5 2.g4 d5 3.a3");
    assert_eq!(page.value("window.asked.includes('/api/move')").await, false);
    // A mate in a variation is not its result.
    page.click("#moves .variation button").await;
    page.wait("$('status').textContent.includes('checkmate')").await;
    assert!(page.text("$('pgn').value").await.contains("[Result \"1-0\"]"));
    page.fill("#player-black", "you").await;
    page.click("#game-before").await;
    page.wait("$('moves').textContent.trim() === 'plans'").await;
    // The comment that is written belongs to the game that is shown.
    page.click("#new-game").await;
    page.play("d2", "d4").await;
    page.wait_moves("1.d4").await;
    page.reload().await;
    page.type_into("#comment", "here").await;
    page.client.back().await.unwrap();
    page.wait("$('moves').textContent.trim() === 'plans'").await;
    page.type_into("#comment", " and ideas").await;
    page.wait("$('moves').textContent.trim() === 'plans and ideas'").await;
    page.click("#set-up").await;
    page.wait("$('comment').disabled").await;
    page.close().await;
}
