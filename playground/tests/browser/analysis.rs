//! The board that players know: moves and variations, lines, arrows, the coach, the review, lessons, tasks.

use crate::driver::{MOUSE_BUTTON_RIGHT, Page};

const LIST: &str = "$('moves').textContent.replace(/\\s+/g, ' ').trim()";
const NOTED: &str = "[White \"A\"]\n\n{A game.} 1. e4 {[%cal Gd2d4,Rg1f3] best} e5! (1... c5 2. Nf3 (2. c3 d5)) 2. Nf3 $2 Nc6 1-0";
const COACHED: &str = "Number($('depth').textContent) >= 1 && $('coach').ariaBusy === 'false'";

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn moves_are_a_tree_quick_ones_are_all_played_and_drawings_stay() {
    let page = Page::game();
    // Six clicks without a pause.
    page.value("click('e2 e4 e7 e5 g1 f3')");
    page.moves("1.e4 e5 2.Nf3");
    page.press("back", "1.e4 e5");
    page.key("ArrowLeft", "1.e4");
    // Another move starts a variation; the line is still there.
    page.play("c7 c5", "1.e4 1...c5");
    page.is(LIST, "1.e4 e5 ( 1...c5 ) 2.Nf3");
    page.key("Home", "");
    page.key("End", "1.e4 e5 2.Nf3");
    // A reload keeps all of it, and the position that was shown.
    page.click("#moves .variation button");
    page.moves("1.e4 1...c5");
    page.reload();
    page.is(LIST, "1.e4 e5 ( 1...c5 ) 2.Nf3");
    page.press("promote", "1.e4 c5");
    page.is(LIST, "1.e4 c5 ( 1...e5 2.Nf3 )");
    // What is deleted comes back with the back button.
    page.press("delete", "1.e4");
    page.is(LIST, "1.e4 e5 2.Nf3");
    page.press("first", "");
    page.back("1.e4 c5");
    page.is(LIST, "1.e4 c5 ( 1...e5 2.Nf3 )");
    // After a click on the board the arrow keys go through the game.
    page.squares("a4");
    page.type_into("#board [data-square=a4]", "\u{e012}");
    page.moves("1.e4");
    let shapes = "count('#drawn .shape')";
    page.drag("e2", "e4", MOUSE_BUTTON_RIGHT);
    page.drag("d5", "d5", MOUSE_BUTTON_RIGHT);
    page.wait("one('#drawn polygon') && one('#drawn circle')");
    page.reload();
    // To take up a piece and put it down leaves them; a click that does nothing else clears them.
    page.squares("g8 g8");
    page.is(shapes, 2);
    page.squares("a3");
    page.is(shapes, 0);
    // By keyboard: C on a square, A from square to square.
    page.value("one('#board [data-square=a3]').focus()");
    page.type_into("#board [data-square=a3]", "\u{e007}ca");
    page.type_into("#board [data-square=a3]", "\u{e014}");
    page.type_into("#board [data-square=b3]", "a");
    page.is(shapes, 2);
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn pgn_keeps_comments_variations_and_drawings() {
    let page = Page::game();
    page.read_pgn(NOTED, "1.e4 1...e5! 2.Nf3? Nc6");
    let list = "A game. 1.e4 best 1...e5! ( 1...c5 2.Nf3 ( 2.c3 d5 ) ) 2.Nf3? Nc6";
    page.is(LIST, list);
    let written = "[White \"A\"] [Result \"1-0\"]  {A game.} 1.e4 {best} {[%cal Gd2d4,Rg1f3]} 1...e5 $1 \
        (1...c5 2.Nf3 (2.c3 d5)) 2.Nf3 $2 Nc6 1-0 ";
    page.is("$('pgn').value.replaceAll('\\n', ' ')", written);
    page.click("#moves button");
    page.is("count('#drawn polygon')", 2);
    // A comment of the user's own.
    page.type_into("#comment", " move");
    page.wait("$('pgn').value.includes('{best move}')");
    page.reload();
    let list = list.replace("best", "best move");
    page.is(LIST, &*list);
    // What the page has written can be read.
    let written = page.text("$('pgn').value");
    page.press("new-game", "");
    page.read_pgn(&written, "1.e4 1...e5! 2.Nf3? Nc6");
    page.is(LIST, list);
    // The clock of a comment stands beside the board, and stays when the comment changes.
    page.read_pgn("1. e4 {[%clk 0:01:00]} *", "1.e4");
    page.is("$('name-bottom').textContent", "0:01:00");
    page.is("$('comment').value", "");
    page.type_into("#comment", "good");
    page.wait("$('pgn').value.includes('{[%clk 0:01:00] good}')");
    // A text with two games, the second with German letters.
    page.read_pgn("1. e4 c5 1-0 1. d4 Sf6 *", "1.e4 c5");
    page.fill("games", "2");
    page.moves("1.d4 Nf6");
    page.wait("$('pgn').value.includes('Sf6')");
    // Another game has the field for itself, also one of the list.
    page.press("new-game", "");
    page.wait("$('pgn').value.includes('tropism playground')");
    page.fill("games", "1");
    page.wait("$('pgn').value.includes('1.e4 c5 1-0')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn a_search_shows_lines_and_stops_at_once() {
    let page = Page::game();
    page.fill("line-count", "3");
    page.click("#search-on");
    page.wait("count('#lines li') === 3 && Number($('depth').textContent) >= 6");
    page.wait("has('lines', '1.') && one('#best line') && has('bar', '+')");
    page.click("#lines li:nth-child(2) button:nth-child(2)");
    page.wait("count('#moves .path') === 2 && has('lines', '2.')");
    // A search ends at once, with its thread.
    page.value("listen()");
    for stop in ["$('search-on').click()", "one('#moves button').click()", "hide(true)"] {
        page.value("(window.ended = 0, $('search-on').checked || $('search-on').click())");
        page.wait(COACHED);
        let stopped = "[ended, $('depth').textContent, count('#lines li')].join()";
        assert_eq!(page.text(&format!("({stop}, {stopped})")), "1,–,0", "{stop}");
    }
    // A page that is hidden asks no thread for anything; in sight it goes on.
    page.value("asked.splice(0)");
    page.key("Home", "");
    page.wait("!asked.length && has('search-says', 'goes on when the page is in sight')");
    page.value("hide(false)");
    page.wait(COACHED);
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn the_coach_judges_positions_and_games_and_a_task_hides_it() {
    let page = Page::open();
    page.set("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    page.click("#tab-coach-panel");
    page.wait("has('verdict', 'White mates at once')");
    page.wait("has('advice', 'Best: 1.Qxf7# (#1)')");
    page.click("#advice button");
    page.moves("1.Qxf7#");
    page.wait("has('verdict', 'The game is over')");
    page.press("back", "");
    // Terms without a contribution are folded.
    page.wait("!$('idle').open && one('#idle-terms .term') && one('#terms .term')");
    page.type_into("#task-text", "<b>White</b> to play and win");
    page.click("#tab-coach-panel");
    page.reload();
    page.is("$('task-shown').textContent", "<b>White</b> to play and win");
    page.wait("has('verdict', 'waits until you ask') && !see('verdict') && !see('sum')");
    page.click("#reveal");
    page.wait("has('verdict', 'White mates at once') && see('verdict') && see('sum')");
    // It reads whole games.
    let moves = "1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7#";
    page.read_pgn(moves, moves);
    page.click("#review");
    let blunder = "all('#mistakes button').find((e) => e.textContent === '3...Nf6??')";
    page.wait(&format!("one('#graph .blunder') && {blunder}"));
    page.draw("review", "#search-box");
    page.value(&format!("{blunder}.click()"));
    page.moves("1.e4 e5 2.Qh5?! Nc6 3.Bc4 Nf6??");
    page.wait("$('pgn').value.includes('Nf6 $4')");
    // Another game makes the graph old.
    page.press("delete", "1.e4 e5 2.Qh5?! Nc6 3.Bc4");
    page.wait("$('graph-box').hidden");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn the_board_follows_the_window_and_promotes_on_its_squares() {
    let page = Page::sized(1900, 1300);
    page.wait("rect('#board').width > 780");
    // Board and the move on it are in sight, whatever the size of the window and the length of the game.
    let game = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 c4 c5 d4 d5 e4 e5 f4 f5 g4 g5 h4 h5";
    page.fill("pgn", game);
    page.click("#read-pgn");
    page.is("count('#moves .path')", 32);
    page.click("[data-term=mobility] input[type=radio]");
    page.click("#tab-writing");
    for (width, height) in [(1366, 768), (1280, 690), (1024, 740), (500, 900)] {
        page.resize(width, height);
        page.value("scrollTo(0, 0)");
        for (buttons, san) in [("first forward", "1.a3"), ("last", "h5")] {
            page.value(&format!("'{buttons}'.split(' ').forEach((id) => $(id).click())"));
            let shown = "(({ x, y }) => document.elementFromPoint(x + 5, y + 10))(rect('#moves [aria-current]'))";
            page.is(&format!("{shown}.ariaCurrent && {shown}.textContent"), san);
        }
        page.value("$('text').scrollIntoView({ block: 'nearest' })");
        page.wait("rect('#board').width > 250 && rect('#board').top >= 0 && rect('#board').bottom <= innerHeight");
    }
    page.set("8/1P6/8/8/7k/8/8/4K3 w - - 0 1");
    page.squares("b7 b8");
    page.is("count('#promotion[open] svg')", 4);
    let place = |of: &str| format!("(({{ x, y }}) => [x, y].map(Math.round).join())(rect('{of}'))");
    page.wait(&format!("{} === {}", place("#promotion button"), place("[data-square=b8]")));
    page.type_into("#promotion button", "\u{e00c}");
    page.wait("!$('promotion').open");
    page.play("b7 b8", "");
    page.click("#promotion button[value=r]");
    page.moves("1.b8=R");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn bishop_and_knight_mate_by_the_arrows_of_the_hints() {
    let page = Page::open();
    page.click("[data-ending=KBNK]");
    page.wait("has('lesson-name', 'Bishop and knight')");
    let (mut share, mut moves) = (0.0, 0);
    while page.value("has('status', 'over')") == false {
        page.click("#hint-arrow");
        page.wait("one('#best polygon')");
        page.squares(&page.text("arrow()"));
        moves += 1;
        // The defender has answered, or it is mate.
        page.wait(&format!("has('lesson-value', ' {moves} move')"));
        page.wait(&format!("has('status', 'over') || count('#moves .path') === 2 * {moves}"));
        let value = page.value("$('way').value").as_f64().unwrap();
        assert!(value >= share && moves <= 33, "the bar has fallen");
        share = value;
        if moves == 5 {
            page.draw("lesson", "#board-box");
        }
    }
    let end = format!("Checkmate in {moves} moves; the least was {moves}.");
    page.is("$('lesson-value').textContent", end);
    page.wait("$('way').value === 1 && has('lesson-list', 'Bishop and knight ✓')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn guides_and_lessons_follow_each_other_and_the_last_lesson_defends() {
    let page = Page::open();
    for guide in [1, 2, 3, 4, 0] {
        page.click("#next-guide");
        page.is("one('#guide-list [aria-pressed=true]').dataset.guide", guide.to_string());
        page.wait("one('#over svg *') && !has('mistake', 'Line') && one('#guide-text p')");
        page.is("see('first-steps')", guide == 0);
        // The last position to compare is another one than the one before.
        page.value("(window.before = $('fen').value)");
        page.click("#guide-positions button:nth-child(2)");
        page.wait("$('fen').value !== window.before && one('#over svg *')");
    }
    page.click("[data-guide='1']");
    page.wait("$('text').value.includes('opposition')");
    page.click("#close-guide");
    page.wait("$('guide').hidden && $('text').value.includes('\"my engine\"')");
    page.click("#lesson-list button");
    for name in ["Queen", "Rook", "King and pawn", "Two bishops", "Bishop and knight"] {
        page.is("$('lesson-name').textContent", format!("{name}: mate Black"));
        page.click("#next-lesson");
    }
    page.wait("has('lesson-name', 'hold the draw with Black')");
    page.click("#hint");
    page.wait("one('#hints li')");
    page.click("#hint-arrow");
    page.wait("one('#best polygon') && has('announce', 'The arrow shows K')");
    // The move of the arrow holds, and White answers.
    page.squares(&page.text("arrow()"));
    page.wait("count('#moves .path') === 2 && has('lesson-cost', 'there is no better move')");
    // The own move is taken back with the answer.
    page.press("back", "");
    page.click("#leave");
    page.wait("$('lesson').hidden");
    page.close();
}
