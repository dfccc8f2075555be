/** The header's logo as an SVG file, in the site's colour. */
export function renderFavicon(accent: string | null): string {
  const colour = accent !== null && /^#[\da-f]{6}$/i.test(accent) ? accent : '#a5301b'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<rect x="3" y="5" width="26" height="24" rx="5" fill="#fbf7ef" stroke="${colour}" stroke-width="2"/>
<path d="M3 10a5 5 0 0 1 5-5h16a5 5 0 0 1 5 5v2H3z" fill="${colour}"/>
<path d="M12 15v11M12 20.5l7-5.5M13.6 19.4l6 6.6" fill="none" stroke="#261d17" stroke-width="2.6" stroke-linecap="round"/>
</svg>
`
}
