/** In each document of a proof, which may load none. */
export const PROOF_STYLE = `:root {
  --ink: #0e2930; --muted: #466066; --paper: #fff; --soft: #e6efec; --line: #d5e1de; --link: #17585b;
  --good: #17585b; --good-soft: #e6f2ec; --bad: #8f2a1b; --bad-soft: #fdeae6; --unsure: #6b4000; --unsure-soft: #fff3d6;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f4faf8; --muted: #b9d2cf; --paper: #0b2b33; --soft: #103f45; --line: #2b5a60; --link: #cfe6e2;
    --good: #9fe3c3; --good-soft: #0f4238; --bad: #ffc1b5; --bad-soft: #5a1a12; --unsure: #ffd684; --unsure-soft: #46350c;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; font: 400 17px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 720px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { margin: 0 0 16px; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 32px 0 8px; font-size: 1.25rem; line-height: 1.3; }
p { margin: 8px 0 0; }
a { color: var(--link); }
ul { margin: 8px 0 0; padding-left: 22px; }
li { margin-top: 6px; }
dl { margin: 8px 0 0; border-top: 1px solid var(--line); }
dl div { display: grid; grid-template-columns: 190px 1fr; gap: 4px 16px; padding: 8px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: 0.875em/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: 8px 0 0; padding: 12px; border-radius: 8px; background: var(--soft); white-space: pre-wrap; }
.verdict { margin: 16px 0 0; padding: 16px; border: 2px solid; border-radius: 12px; }
.verdict strong { display: block; font-size: 1.25rem; line-height: 1.3; }
.verdict p { color: var(--ink); }
.good { color: var(--good); background: var(--good-soft); }
.bad { color: var(--bad); background: var(--bad-soft); }
.unsure { color: var(--unsure); background: var(--unsure-soft); }
p.verdict { font-weight: 600; }
.late { visibility: hidden; animation: late 0s 3s forwards; }
@keyframes late { to { visibility: visible; } }
:focus-visible { outline: 3px solid #2b7277; outline-offset: 2px; }
@media (prefers-color-scheme: dark) { :focus-visible { outline-color: #ffc24b; } }
@media (max-width: 480px) { dl div { grid-template-columns: 1fr; gap: 0; } }
@media print {
  :root {
    --ink: #000; --muted: #444; --paper: #fff; --soft: #f2f2f2; --line: #bbb; --link: #000;
    --good: #14532d; --good-soft: #fff; --bad: #8f2a1b; --bad-soft: #fff; --unsure: #6b4000; --unsure-soft: #fff;
  }
  body { font-size: 12pt; }
  main { max-width: none; padding: 0; }
  .links { display: none; }
  dl div, li, .verdict { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
