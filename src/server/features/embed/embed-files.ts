/** Runs in the frame. Posts the page's height to the host page whenever it changes or the host page requests it. */
const SIZE_SCRIPT = `(() => {
  if (parent === window) return;
  const postHeight = () =>
    parent.postMessage({ cityClimateFundHeight: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
  new ResizeObserver(postHeight).observe(document.body);
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data === 'cityClimateFundHeight?') postHeight();
  });
})();
`;

/**
 * Runs on the host page. Accepts only heights, and only from this site's frames. A frame's data-form attribute selects the
 * initial form; data-amount sets the suggested donation.
 */
const EMBED_SCRIPT_TEXT = `(() => {
  const { origin } = new URL(document.currentScript.src);
  const frames = () => [...document.querySelectorAll('iframe')].filter(({ src }) => src.startsWith(origin + '/'));
  addEventListener('message', (event) => {
    const height = event.origin === origin ? event.data?.cityClimateFundHeight : undefined;
    if (!Number.isInteger(height) || height < 100 || height > 4000) return;
    for (const frame of frames()) if (frame.contentWindow === event.source) frame.height = String(height);
  });
  for (const frame of frames()) {
    const { form, amount } = frame.dataset;
    const address = new URL(frame.src);
    if (form) address.searchParams.set('what', form);
    if (amount) address.searchParams.set('amount', amount);
    if (frame.src !== address.href) frame.src = address.href;
    else frame.contentWindow?.postMessage('cityClimateFundHeight?', '*');
  }
})();
`;

const STYLE = `:root {
  --ink: #0e2930; --muted: #466066; --paper: #fff; --soft: #e6efec; --field: #6d8a89; --link: #17585b;
  --lamp: #ffc24b; --night: #07202a; color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #f4faf8; --muted: #b9d2cf; --paper: #0b2b33; --soft: #103f45; --field: #8fb0ae; --link: #cfe6e2; }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; font: 400 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 560px; margin: 0 auto; padding: 20px 16px; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.2; overflow-wrap: anywhere; }
p { margin: 8px 0 0; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0; }
nav a { padding: 8px 14px; border-radius: 8px; color: var(--link); background: var(--soft); text-decoration: none; }
nav a[aria-current] { color: #fff; background: #17585b; font-weight: 600; }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 12px 16px; }
label { display: grid; gap: 4px; font-size: 0.9375rem; align-content: start; }
input[type='number'], select {
  width: 100%; min-height: 44px; padding: 8px 10px; border: 1px solid var(--field); border-radius: 8px;
  font: inherit; color: inherit; background: transparent;
}
label.check { grid-template-columns: auto 1fr; gap: 10px; align-items: center; align-content: center; min-height: 44px; }
input[type='checkbox'] { width: 20px; height: 20px; margin: 0; accent-color: #17585b; }
button, .action, .donate {
  display: inline-block; min-height: 44px; padding: 10px 20px; border: 0; border-radius: 999px; font: 600 1rem/1.5 system-ui, sans-serif;
  text-align: center; text-decoration: none; cursor: pointer;
}
button { grid-column: 1 / -1; justify-self: start; color: #fff; background: #17585b; }
.action { color: var(--night); background: var(--lamp); }
.donate { margin-top: 16px; border: 1px solid var(--field); color: var(--link); background: transparent; }
.result { margin-top: 16px; padding: 16px; border-radius: 12px; background: var(--soft); }
.result strong { display: block; margin-bottom: 8px; font-size: 1.25rem; }
.end { margin-top: 16px; font-size: 0.875rem; color: var(--muted); }
:focus-visible { outline: 3px solid #2b7277; outline-offset: 2px; }
@media (prefers-color-scheme: dark) { :focus-visible { outline-color: var(--lamp); } }
`;

/** Content types and contents by file name. */
export const EMBED_FILES: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['size.js', { type: 'text/javascript; charset=utf-8', text: SIZE_SCRIPT }],
  ['embed.js', { type: 'text/javascript; charset=utf-8', text: EMBED_SCRIPT_TEXT }],
  ['embed.css', { type: 'text/css; charset=utf-8', text: STYLE }],
]);
