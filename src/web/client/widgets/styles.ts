/**
 * Styles of our elements: they inherit from the page, unless `theme` or custom properties (`--kalends-…`) override it.
 * A constructed style sheet needs no exception in the page's CSP.
 */
export function getStyleSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  return sheet
}

let sheet: CSSStyleSheet | undefined

const dark = '--t:#f3eae0;--b:#241d19;--l:#5a4c41;--a:#f39a83;--o:#2b0f08;color-scheme:dark'

const css = `
:host{display:block;--l:color-mix(in srgb,currentcolor 25%,transparent);color:var(--kalends-text,var(--t,inherit));background:var(--kalends-background,var(--b,transparent));overflow-wrap:break-word}
:host([hidden]){display:none}
:host([theme]){padding:.5em 1em 1em;border-radius:var(--kalends-radius,12px)}
:host([theme=light]),:host([theme=auto]){--t:#261d17;--b:#fffdf9;--l:#e5d9c8;--a:#a5301b;--o:#fff;color-scheme:light}
:host([theme=dark]){${dark}}
@media(prefers-color-scheme:dark){:host([theme=auto]){${dark}}}
ul{list-style:none;margin:0;padding:0}
li{padding:.8em 0;border-bottom:1px solid var(--kalends-border,var(--l))}
li:last-child{border:0}
h1,h2,h3,h4,h5,h6{margin:0 0 .2em;font-size:1.15em;line-height:1.3}
[part=campaign]{padding:.8em 0 0}
p{margin:0}
a{color:inherit;text-underline-offset:.15em}
a:hover{text-decoration-thickness:.13em}
a:focus-visible{outline:3px solid var(--kalends-accent,var(--a,currentcolor));outline-offset:2px}
time{font-variant-numeric:tabular-nums}
.compact li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1em;padding:.4em 0}
[part=amount] strong{font-size:1.4em}
[part=progress]{box-sizing:border-box;height:.8em;margin:.4em 0 1em;border:1px solid color-mix(in srgb,currentcolor 55%,transparent);border-radius:1em;overflow:hidden}
svg{display:block;width:100%;height:100%}
rect{fill:var(--kalends-accent,var(--a,#a5301b))}
rect:first-child{opacity:.35}
@media(forced-colors:active){rect{fill:CanvasText}}
[part=button]{display:inline-block;padding:.55em 1.4em;border-radius:var(--kalends-radius,2em);background:var(--kalends-accent,var(--a,#a5301b));color:var(--kalends-on-accent,var(--o,#fff));font-weight:600;text-decoration:none}
`
