import { createHash } from 'node:crypto';

/** A page whose first pictures are not there after so long has a very slow line: its program is fetched beside them. */
const UNPAINTED_MS = 1000;
/** What a browser takes to bring onto the screen what it has drawn. */
const DRAWN_MS = 120;

/**
 * The one script inside a document does two things.
 *
 * It fetches the program once the page is painted with its letters and its first pictures: a line that is slow carries
 * what is seen first. The program's files are named by the script element itself, the first of them being the one that
 * is run. A page in the background is not painted, and does not wait for it.
 *
 * And a rendered page can be used before its program is there. What is pressed and typed until then is remembered by
 * this script, and done by the program once it is there (src/web/app/early-input.ts). None of it goes further until then:
 * what the program hears while it is taking over would be done out of its turn, or twice. No form is sent by the
 * browser itself: it would load the page anew, and what was typed would be gone.
 */
export const DOCUMENT_SCRIPT = `(() => {
const files = document.currentScript.dataset.program.split(' ');
const start = () => {
for (const [place, file] of files.splice(0).entries()) {
const element = document.createElement(place ? 'link' : 'script');
Object.assign(element, place ? { rel: 'modulepreload', href: file } : { type: 'module', src: file });
document.head.append(element);
}
};
addEventListener('DOMContentLoaded', () => setTimeout(start, document.hidden ? 0 : ${UNPAINTED_MS}));
addEventListener('load', () => requestAnimationFrame(() => setTimeout(start, ${DRAWN_MS})));
const inputs = [];
const hold = (event) => event.preventDefault();
const press = (event) => {
event.stopImmediatePropagation();
const target = event.target.closest('button');
if (!target) return;
inputs.push({ target });
event.preventDefault();
};
const type = (event) => {
event.stopImmediatePropagation();
const { target } = event;
const { value, checked } = target;
const known = inputs.find((input) => input.target === target);
if (known) Object.assign(known, { value, checked });
else inputs.push({ target, value, checked });
};
const heard = [['submit', hold], ['click', press], ['input', type]];
for (const [name, hear] of heard) addEventListener(name, hear, true);
window.earlyInput = { inputs, stop: () => { for (const [name, hear] of heard) removeEventListener(name, hear, true); } };
})()`;

/** What the content policy must allow for it. */
export const DOCUMENT_SCRIPT_HASH = `'sha256-${createHash('sha256').update(DOCUMENT_SCRIPT).digest('base64')}'`;
