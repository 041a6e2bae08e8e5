// The page: joins board, evaluation, editor, search, lessons and link.

import { get, post } from "./api.js";
import { Board, choosePromotion, drawArrows, piecesOf, showBar, turnArrows } from "./board.js";
import { startCoach, stopCoach } from "./coach.js";
import { earlierGame, keepGame } from "./earlier.js";
import { chosenText, initEditor, keepOwnText, setText, showMistake } from "./editor.js";
import { continueLesson, initLessons, leaveGuide, showGuide, showLesson } from "./lessons.js";
import { LEVELS, fragment, readFragment, takePercents } from "./link.js";
import { initRows, showMoves } from "./moves.js";
import { initPanels, openPanel } from "./panels.js";
import { initReview, showReview } from "./review.js";
import { startSearch, stopSearch } from "./search.js";
import { commitSetup, initSetup, setupClick, setupFen, setupMove, setupPieces, setupRemove, setUp } from "./setup.js";
import { START, announce, complain, element, focusBoard, guarded, isText, isVeiled, make, percents, request, resetPercents, signed, state } from "./state.js";
import { priceTerms, showReasons, showTerms } from "./terms.js";
import { endOf, isPlain, lineOf, newTree, pathOf, pgnOf, promote, remove, resultOf, touch, walk } from "./tree.js";

/** After this time without an answer the page says that it waits, in milliseconds. */
const PATIENCE = 300;
/** The least time between two moves of the engine, in milliseconds: a person wants to see them. */
const MOVE_PAUSE = 300;
/** The time until the address is written, in milliseconds: browsers take 200 in ten seconds. */
const WRITE_PAUSE = 60;
/** The time until an address that the browser refused is written again, in milliseconds. */
const AGAIN = 1000;
/** The longest engine file, in bytes. Of a longer one only so much is sent that the server still says that it is too long. */
const MOST_TEXT = 128 << 10;
const WORDS = { K: "king ", Q: "queen ", R: "rook ", B: "bishop ", N: "knight ", x: " takes ", "+": ", check", "#": ", checkmate", "=": " promotes to " };

let examples = [];
let pending = null;
/**
 * The game that the server is asked about, `{ start, moves, taken, tree }`, or `{ start, moves, node }` for a position
 * whose pieces are not known. It becomes the state when the server takes it.
 */
let wanted = null;
/** Whether the engine moves although moves follow: after a move or the choice of a player, not while the user goes through a game. */
let isReplyWanted = false;
/** The last set-up that the server has refused. */
let unfinished = null;
let thinking = null;
/** The position whose comment is in its field: the other side may move while the user writes. */
let noted = null;
/** The number of the game that was read last of a text in PGN. */
let numberRead = 1;
/** Whether the PGN field holds a text of the user that the page must not replace. */
let isPgnOfUser = false;
/** The address of the last state, so that a change of it by the user is noticed. */
let address = "";
/** The reading of an address that goes on, if one does: until it ends, no address is written. */
let reading = null;
/** The next writing of the address, and whether it is that of another game: another page for the back button. */
let addressKept = null;
let isOtherPage = false;
let writing = Promise.resolve();

const board = new Board({
  targets(from) {
    if (state.settingUp) return Object.keys(board.buttons);
    if (!isUsersTurn()) return null;
    const targets = legal(from).map(({ uci }) => uci.slice(2, 4));
    return targets.length ? targets : null;
  },
  move(from, to) {
    if (state.settingUp) setupMove(from, to);
    else chooseMove(legal(from).filter(({ uci }) => uci.slice(2, 4) === to));
  },
  illegal(from, to) {
    if (state.settingUp) return;
    element("status").textContent = `${from} to ${to} is no legal move.`;
    announce(element("status").textContent);
  },
  click: (square) => state.settingUp && setupClick(square),
  draw(shape) {
    const { shapes } = state.node;
    if (state.settingUp || (!shape && (!shapes.length || isWaiting()))) return;
    const others = shapes.filter((known) => known.slice(1) !== shape?.slice(1));
    state.node.shapes = !shape ? [] : others.length < shapes.length ? others : [...shapes, shape];
    drawArrows("drawn", state.node.shapes);
    noteChanged();
  },
  remove(square) {
    if (state.settingUp) setupRemove(square);
    return state.settingUp;
  },
});

const legal = (from) => state.game.legal.filter(({ uci }) => uci.startsWith(from));

/** The pieces as the board shows them: an unfinished set-up is no position. */
const piecesNow = () => (state.settingUp ? { ...setupPieces() } : piecesOf(state.game.fen));

/** The position on the board with the moves that led to it. */
const current = () => ({ start: state.start, moves: state.moves });

/** The game on the board with everything that belongs to it. */
const whole = () => ({ ...current(), line: lineOf(state.tree), tags: state.tree.tags, result: resultOf(state.tree) });

/** Keeps the game on the board before another one replaces it. Who goes back through earlier games comes to all of them. */
function keepCurrentGame(isLast) {
  if (state.start !== START || !isPlain(state.tree, state.tree)) keepGame(whole(), isLast);
}

/** Whether the server is asked for another game, or for a position whose pieces are not known. */
const isOpening = () => wanted !== null && (wanted.start !== state.start || wanted.moves !== state.moves);

/** Whether the server has not yet answered to a move or a position. */
const isWaiting = () => isOpening() || Boolean(state.game.isProvisional);

/** What is set up now, if the server has refused it. */
const refused = () => (state.settingUp && unfinished?.start === setupFen() ? unfinished : null);

/** The position that the board shows or will show; null while another game is asked for. */
const target = () => (isOpening() ? wanted.node ?? null : state.node);

/** What is known of a position before the server answers. Nothing can be played in it. */
const provisional = (fen) => ({ fen, turn: fen.split(" ")[1] === "w" ? "white" : "black", legal: [], isProvisional: true });

const begin = newTree(START);
Object.assign(state, { tree: begin, node: begin, game: provisional(START) });

/** Whether the engine moves if it is its turn: it does not go on with a game that has ended. */
const isReplyDue = () => isReplyWanted || (!state.node.children.length && resultOf(state.tree) === "*");

function isUsersTurn() {
  if (isWaiting()) return false;
  const { turn } = state.game;
  if (state.lesson) return turn === (state.lesson.defend ? "black" : "white");
  return state.players[turn] === "you" || !isReplyDue();
}

/** A promotion asks which piece. */
async function chooseMove(moves) {
  state.opened++;
  if (moves.length < 2) return play(moves[0]);
  const to = moves[0].uci.slice(2, 4);
  const letter = await choosePromotion(to, state.game.turn[0], board.buttons[to]);
  const chosen = moves.find(({ uci }) => letter && uci.endsWith(letter));
  if (chosen) play(chosen);
}

const spoken = (san) =>
  san.startsWith("O-O-O") ? "castles long" : san.startsWith("O-O") ? "castles short"
    : san.replace(/[KQRBNx+#=]/g, (letter) => WORDS[letter]);

/** Plays a move. */
function play(move) {
  announce(`${state.game.turn === "white" ? "White" : "Black"}: ${spoken(move.san)}.`);
  knock();
  isReplyWanted = true;
  return advance(move);
}

/** Puts a legal move into the game before the server has answered: nothing that happens meanwhile loses it. */
function advance(move) {
  const isNew = !state.node.children.some(({ uci }) => uci === move.uci);
  const node = walk(state.node, [move]);
  if (isNew) node.isNew = true;
  stand(node);
  return show();
}

/** Brings the board to a position of the game whose pieces are known. */
function stand(node) {
  if (wanted?.isGuide) leaveGuide();
  wanted = null;
  Object.assign(state, { node, moves: pathOf(node).map(({ uci }) => uci), game: node.game ?? provisional(node.after) });
  startSearch();
  fillFields();
  showGame();
}

let audio = null;

/** The sound of a piece on the board, if the user wants sounds. */
function knock() {
  if (!element("sound").checked) return;
  audio ??= new AudioContext();
  const end = audio.currentTime + 0.08;
  const volume = new GainNode(audio, { gain: 0.4 });
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: 160 });
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}

/** Plays the moves of a line from the position on the board. */
const playLine = (moves) => {
  if (isWaiting() || state.settingUp) return;
  isReplyWanted = false;
  show({ start: state.start, moves: [...state.moves, ...moves] });
};

/** Goes to a position of the game. */
function go(node) {
  if (state.settingUp) return complain("Press Set up to end the set-up first.");
  announce(node.san ? `After ${spoken(node.san)}.` : "The start of the game.");
  isReplyWanted = false;
  if (!node.after) return show({ start: state.start, moves: pathOf(node).map(({ uci }) => uci), node });
  stand(node);
  return show();
}

/**
 * Asks the server for everything that the page shows of a game, and shows it. The game replaces the one on the board
 * only if the server takes it: returns whether it did. An older question is dropped.
 */
async function evaluate(game = wanted ?? refused() ?? current()) {
  pending?.abort();
  const own = new AbortController();
  pending = own;
  // A guide that is left before it is shown gives the engine back.
  if (wanted?.isGuide && wanted !== game && !game.isGuide) leaveGuide();
  wanted = game;
  const { moves } = game;
  // The user may go on typing.
  const { text } = state;
  const ask = (engine) =>
    post("/api/evaluate", { start: game.start, moves, engine: engine.slice(0, MOST_TEXT + 1).toWellFormed(), percents: percents(), picked: state.picked, flipped: state.flipped }, own.signal);
  setTimeout(() => {
    if (own !== pending) return;
    if (isWaiting()) element("status").textContent = "Waiting for the server …";
    if (state.evaluation?.node !== state.node) board.draw(null);
  }, PATIENCE);
  try {
    let answer = await ask(text);
    const { error } = answer;
    // With a mistake in the editor, the last good file evaluates.
    if (error && state.goodText !== text && state.goodText) answer = await ask(state.goodText);
    if (own !== pending) return false;
    showMistake(error);
    complain();
    wanted = unfinished = null;
    const start = answer.game.start;
    const isOther = game.taken || start !== state.tree.start;
    if (game.taken || (isOther && state.tree.children.length)) keepCurrentGame(game.isBack);
    if (game.tree || isOther) state.tree = Object.assign(game.tree ?? newTree(start), { start });
    const { history, ...position } = answer.game;
    Object.assign(state, { start, moves, game: position, node: walk(state.tree, history) });
    Object.assign(state.node, { game: position, isNew: false });
    const isEnd = state.node === endOf(state.tree) && resultOf(state.tree) === "*";
    if (isEnd) Object.assign(state.tree, { result: answer.game.result, ended: state.node });
    if (game.taken) {
      isOtherPage ||= !game.isFromAddress;
      game.taken();
    }
    fillFields();
    if (!error) {
      const isNew = state.goodText !== text;
      if (isNew) pickNewTerm(answer.evaluation);
      state.goodText = text;
      if (isNew && answer.evaluation.terms.some(({ name }) => name === state.picked) && !answer.evaluation.layers) {
        answer = await ask(text);
        if (own !== pending) return false;
      }
    }
    if (answer.evaluation) state.evaluation = { ...answer.evaluation, node: state.node };
    render();
    return true;
  } catch (error) {
    if (error.name === "AbortError" || own !== pending) return false;
    const isMove = !isOpening();
    wanted = null;
    // A game that the server cannot read now stays in its address.
    isOtherPage ||= Boolean(game.isFromAddress && !error.isRefusal);
    // A move that the server refuses is taken back.
    if (isMove && state.node.isNew) stand(remove(state.node));
    // A move before it is still without an answer.
    if (!isMove && state.game.isProvisional) await show();
    else render();
    complain(error.message);
    if (state.settingUp && game.start === setupFen()) {
      unfinished = game;
      showGame();
      board.draw(null);
    }
    return false;
  }
}

/** A term that the user has just written is drawn at once. */
function pickNewTerm(evaluation) {
  if (!state.evaluation) return;
  const known = new Set(state.evaluation.terms.map(({ name }) => name));
  const written = evaluation.terms.find(({ name, is_formula }) => is_formula && !known.has(name));
  if (written) state.picked = written.name;
}

/** Writes the game into its fields, but not over what the user is writing. */
function fillFields() {
  if (document.activeElement !== element("fen")) element("fen").value = state.game.fen;
  if (!isPgnOfUser && document.activeElement !== element("pgn")) element("pgn").value = pgnOf(state.tree, START);
  const isWriting = document.activeElement === element("comment") && (pathOf(noted)[0]?.parent ?? noted) === state.tree;
  if (isWriting) return;
  noted = state.node;
  element("comment").value = noted.comments.join(" ");
}

/** A comment, a mark or a drawing has changed. */
function noteChanged() {
  touch();
  fillFields();
  showGame();
  keepAddress();
}

/** The position, the moves of the game, the review, and what may be done with them. */
function showGame() {
  const { game, node, tree } = state;
  const last = state.moves.at(-1);
  if (board.flipped !== state.flipped) board.draw(null);
  turnArrows();
  board.show(piecesNow(), state.flipped, last ? [last.slice(0, 2), last.slice(2, 4)] : []);
  element("board").setAttribute("aria-busy", String(isWaiting()));
  drawArrows("drawn", node.shapes);
  const turn = game.turn === "white" ? "White" : "Black";
  element("status").textContent = refused() ? "" : game.outcome ? `The game is over: ${game.outcome}` : `${turn} to move${game.check ? ", in check" : ""}.`;
  showMoves(tree, node, go);
  showReview();
  // A button that is disabled would lose the focus.
  const able = (id, isAble) => element(id).setAttribute("aria-disabled", String(!isAble));
  able("first", node.parent && !state.settingUp);
  able("back", node.parent || isWaiting() || state.settingUp);
  for (const id of ["forward", "last"]) able(id, node.children.length);
  element("delete").disabled = element("promote").disabled = !node.parent || state.settingUp;
  // What is set up has no comment yet.
  element("comment").disabled = state.settingUp;
  element("game-before").hidden = !earlierGame(whole());
}

/** Shows everything. The search begins first and runs while the page is drawn. */
function render() {
  const { game, evaluation } = state;
  startSearch();
  showGame();
  element("bar").classList.toggle("flipped", state.flipped);
  document.body.classList.toggle("veiled", isVeiled());
  element("task").hidden = !state.task;
  element("task-shown").textContent = state.task;
  element("reveal").hidden = !isVeiled();
  if (element("task-text").value !== state.task) element("task-text").value = state.task;
  element("line-count").value = state.lines;
  for (const side of ["white", "black"]) element(`player-${side}`).value = state.players[side];
  element("search-on").checked = state.searching;
  if (!evaluation) return;
  // A search that has a line knows better.
  if (!element("lines").childElementCount) showBar(evaluation.expected, game.outcome ? game.result.replace("1/2-1/2", "½") : signed(evaluation.value));
  board.draw(isVeiled() || evaluation.node !== state.node ? null : evaluation.layers);
  showTerms(evaluation.terms, changed);
  priceTerms();
  showReasons(evaluation);
}

/**
 * Shows a game, or the one on the board; searches, lets the engine or the defender of a lesson move, and keeps the
 * address. Returns whether the server took the game.
 */
async function show(game) {
  if (game) stopSearch();
  else keepAddress();
  element("promotion").close();
  stopCoach();
  thinking?.abort();
  thinking = null;
  const own = evaluate(game);
  const question = pending;
  const isTaken = await own;
  let reply = null;
  if (question === pending && isTaken && state.lesson) {
    await guarded(async () => { reply = await continueLesson(); });
  }
  if (question !== pending) return false;
  if (reply) return advance(reply);
  keepAddress();
  startCoach();
  if (isReplyDue()) engineMove();
  return isTaken;
}

/** Something about the evaluation has changed, but not the position. */
const changed = () => show();

async function engineMove() {
  const { game } = state;
  const level = state.players[game.turn];
  if (game.outcome || state.settingUp || state.lesson || level === "you") return;
  const own = new AbortController();
  thinking = own;
  const pause = new Promise((resolve) => { setTimeout(resolve, MOVE_PAUSE); });
  await guarded(async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { move } = await post("/api/move", { ...request(), level: Number(level), seed }, own.signal);
    await pause;
    if (own === thinking) await play(move);
  });
}

/** Keeps the state in the address, soon. */
function keepAddress() {
  if (!addressKept) addressKept = writing = writing.then(() => guarded(writeAddress));
  return addressKept;
}

async function writeAddress() {
  // The page is drawn first, and what follows at once is written with it.
  await new Promise((resolve) => { setTimeout(resolve, WRITE_PAUSE); });
  addressKept = null;
  // What is being read, and a guide, are written when they are shown.
  if (reading || wanted?.isGuide) return;
  const [before, isOther] = [address, isOtherPage];
  const next = await fragment(examples);
  // If the user has gone back or forward meanwhile, the address is that of another state.
  if (reading || next === address || before !== address || location.hash !== address) return;
  try {
    if (isOther) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
    isOtherPage &&= !isOther;
  } catch {
    // It is tried again below.
  }
  address = location.hash;
  // Browsers refuse to write addresses too often.
  if (address !== next) setTimeout(keepAddress, AGAIN);
}

/** Ends what belongs to the game before. */
function leaveOldGame() {
  state.lesson = null;
  // A task that came with a link belongs to its position.
  if (!state.revealed) Object.assign(state, { task: "", revealed: true });
  // What the user has written since the last game was read stays in its field.
  if (element("pgn").value === state.pastedText) isPgnOfUser = false;
  setUp(false);
  showLesson();
}

/** Begins another game; the one before is kept. `taken()` is called when the server has taken it. */
function newGame(start, tree = newTree(start), { moves = pathOf(endOf(tree)).map(({ uci }) => uci), isBack, taken } = {}) {
  state.opened++;
  isReplyWanted = false;
  leaveGuide();
  return show({ start, moves, tree, isBack, taken() { leaveOldGame(); taken?.(); } });
}

function back() {
  if (state.settingUp) return toggleSetup();
  const node = target();
  // Another game that is asked for is given up.
  if (!node && isOpening()) {
    state.opened++;
    return show(current());
  }
  let parent = node?.parent;
  if (!parent) return;
  // What the other side has answered is taken back as well.
  if (state.lesson && pathOf(parent).length % 2) ({ parent } = parent);
  while (parent.parent && !state.lesson && playerAt(parent) !== "you" && hasUser()) ({ parent } = parent);
  if (!hasUser()) state.players = { white: "you", black: "you" };
  go(parent);
}

/** Goes through the game by the name of a button. */
function step(id) {
  if (id === "back") return back();
  const node = target();
  if (!node || state.settingUp) return;
  if (id === "first") go(state.tree);
  else if (node.children.length) go(id === "last" ? endOf(node) : node.children[0]);
}

const hasUser = () => Object.values(state.players).includes("you");

/** Who moves in a position of the game. */
function playerAt(node) {
  const first = state.start.split(" ")[1] === "b" ? 1 : 0;
  return state.players[(first + node.ply) % 2 ? "black" : "white"];
}

/** An engine file by the name of an example, or as text. */
const textOf = (engine) => examples.find(({ name }) => name === engine)?.text ?? engine;

/** Replaces the text of the editor, with all terms at 100 percent; without a text it does nothing. */
function takeText(text) {
  if (!text) return;
  // The back button brings the percentages back, too.
  history.pushState(null, "", location.href);
  setText(text);
  resetPercents();
  show();
}

/** Gives the user's engine back after a guide, unless the text of the guide was changed. */
function restore(guided, { text, goodText, percents: kept, off, picked }) {
  state.picked = isText(picked) ? picked : null;
  if (state.text !== textOf(guided)) return;
  setText(text);
  state.goodText = goodText;
  takePercents(kept, off);
}

async function save() {
  await guarded(async () => {
    const { text } = await post("/api/save", { engine: state.text, percents: percents() });
    const link = make("a", { download: "engine.toml", href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
    link.click();
    URL.revokeObjectURL(link.href);
    element("status").textContent = `The file is saved${element("mistake").textContent ? ", with its mistake" : ""}.`;
  });
}

async function load(event) {
  const [file] = event.target.files;
  if (!file) return;
  event.target.value = "";
  if (!file.size || file.size > MOST_TEXT) return complain("An engine file has 1 byte to 128 KiB here.");
  await guarded(async () => takeText(await file.text()));
}

// Reads one game of a text in PGN, and offers the others.
async function readPgn(text, number) {
  const own = ++state.opened;
  await guarded(async () => {
    const read = await post("/api/pgn", { text, game: number });
    if (own !== state.opened) return;
    const { start, fault, games } = read;
    const taken = () => {
      // A text that the page has read wholly is in the game now; another one may have been written meanwhile.
      if (element("pgn").value === text) isPgnOfUser = Boolean(fault) || games.length > 1;
      state.pastedText = text;
      element("games-label").hidden = games.length < 2;
      element("games").replaceChildren(...games.map((heading, index) => new Option(heading, index + 1)));
      element("games").value = numberRead = number;
      complain(fault ? `The text has a mistake: ${fault}` : "");
    };
    await newGame(start, newTree(start, read), { taken });
  });
  element("games").value = numberRead;
}

async function toggleSetup() {
  openPanel(null);
  state.opened++;
  const isUnfinished = refused() !== null;
  setUp(!state.settingUp);
  if (state.settingUp) {
    keepCurrentGame();
    state.lesson = null;
    showLesson();
  }
  await show(isUnfinished ? current() : wanted ?? current());
  if (isUnfinished) complain("What was set up is no position; the board shows the last one that was.");
}

function connect() {
  const on = (id, event, action) => element(id).addEventListener(event, action);
  for (const id of ["first", "back", "forward", "last"]) on(id, "click", () => step(id));
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("textarea, select, input:not([type=checkbox])") || event.target.closest("dialog, #word-box");
    if (!keys[event.key] || isTyping || event.defaultPrevented || state.settingUp || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(keys[event.key]);
  });
  on("game-before", "click", () => {
    const kept = earlierGame(whole());
    focusBoard();
    if (kept) newGame(kept.start, newTree(kept.start, kept), { moves: kept.moves, isBack: true });
  });
  on("delete", "click", () => {
    keepCurrentGame();
    focusBoard();
    // The defender would play its move again.
    const isReply = state.lesson && state.moves.length % 2 === 0;
    go(remove(isReply ? state.node.parent : state.node));
  });
  on("promote", "click", () => { promote(state.node); noteChanged(); });
  on("comment", "input", ({ target }) => { noted.comments = target.value ? [target.value] : []; noteChanged(); });
  on("comment", "blur", fillFields);
  on("task-text", "input", (event) => {
    Object.assign(state, { task: event.target.value, revealed: true });
    element("task").hidden = !state.task;
    element("task-shown").textContent = state.task;
    keepAddress();
  });
  on("reveal", "click", () => { state.revealed = true; focusBoard(); show(); });
  on("line-count", "change", (event) => { state.lines = Number(event.target.value); startSearch(); keepAddress(); });
  on("flip", "click", () => { state.flipped = !state.flipped; showGame(); show(); });
  on("new-game", "click", () => { state.task = ""; newGame(START); });
  on("set-up", "click", toggleSetup);
  on("read-fen", "click", () => newGame(element("fen").value.trim()));
  on("fen", "keydown", (event) => { if (event.key === "Enter") newGame(event.target.value.trim()); });
  on("pgn", "input", (event) => { isPgnOfUser = Boolean(event.target.value.trim()); });
  on("read-pgn", "click", () => readPgn(element("pgn").value, 1));
  on("games", "change", (event) => readPgn(state.pastedText, Number(event.target.value)));
  on("search-on", "change", (event) => { state.searching = event.target.checked; show(); });
  on("save", "click", save);
  on("load", "change", load);
  on("examples", "change", ({ target }) => { takeText(target.value && textOf(target.value)); target.value = ""; });
  on("earlier", "change", () => takeText(chosenText()));
  on("copy-link", "click", async () => {
    await keepAddress();
    element("status").textContent = "";
    await guarded(async () => {
      // A task shows the position, not the moves that follow.
      const link = state.task ? new URL(await fragment(examples, true), location.href).href : location.href;
      await navigator.clipboard.writeText(link);
      element("status").textContent = "The link is copied.";
    });
  });
  for (const side of ["white", "black"]) {
    const options = [make("option", { value: "you" }, "you"), ...LEVELS.map((level) =>
      make("option", { value: String(level) }, level === 20 ? "engine, full strength" : `engine, level ${level}`))];
    element(`player-${side}`).append(...options);
    on(`player-${side}`, "change", (event) => { state.players[side] = event.target.value; isReplyWanted = true; show(); });
  }
  window.addEventListener("popstate", openAddress);
  window.addEventListener("pagehide", () => {
    stopSearch();
    keepOwnText();
  });
}

/** Reads the address; without a state in it, the page starts anew. */
async function openAddress() {
  let problem = "";
  let game = null;
  address = location.hash;
  const own = {};
  reading = own;
  state.opened++;
  try {
    game = await readFragment(examples);
  } catch {
    problem = "The link cannot be read; the page starts from the beginning.";
  }
  if (!game) {
    Object.assign(state, { text: examples[0].text, goodText: examples[0].text, lesson: null, guide: null, before: null, picked: null });
    resetPercents();
  }
  setText(state.text);
  setUp(false);
  showLesson();
  showGuide();
  game ??= { start: START, moves: [], tree: newTree(START) };
  const taken = () => {
    reading = null;
    // A set-up that was begun meanwhile has the pieces of this game.
    if (!game.setup) return setUp(state.settingUp);
    setUp(true, game.setup);
    // An unchanged set-up keeps the game.
    if (!setupFen().startsWith(state.game.fen.split(" ", 3).join(" "))) commitSetup();
  };
  const isTaken = await show({ ...game, taken, isFromAddress: true });
  if (reading === own) reading = null;
  if (!isTaken && !wanted) {
    problem = element("problem").textContent;
    await show(current());
  }
  if (problem) complain(problem);
  document.body.inert = false;
}

async function start() {
  const [pieces, list] = await Promise.all([get("/pieces.svg"), get("/api/examples")]);
  const symbols = new DOMParser().parseFromString(await pieces.text(), "image/svg+xml");
  element("pieces").append(document.importNode(symbols.documentElement, true));
  ({ examples } = await list.json());
  element("examples").append(...examples.map(({ name }) => make("option", { value: name }, name)));
  connect();
  initSetup((game) => { showGame(); keepAddress(); return show(game); });
  initEditor(changed, examples);
  initPanels();
  initRows(playLine);
  initReview(go, noteChanged);
  await initLessons({ show, use: (engine) => setText(textOf(engine)), restore });
  await openAddress();
}

guarded(start);
