import type { Email } from '#platform/email/outbox.ts'

/** A block of an e-mail, rendered as plain text and as HTML. */
export type EmailBlock =
  | string
  /** Label and value pairs, one per line, for the reader to copy. */
  | { facts: [label: string, value: string][] }
  | { link: string; label: string }
  /** An attached image shown inline in the HTML version. */
  | { picture: string; alt: string }

/** Renders both versions of the e-mail. Skips empty blocks. */
export function renderBlocks(blocks: EmailBlock[], language: 'en' | 'de'): Required<Pick<Email, 'text' | 'html'>> {
  const written = blocks.filter(block => block !== '')
  const text = written.map(toText).filter(part => part !== '')
  return {
    text: `${text.join('\n\n')}\n`,
    html:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>` +
      `<body style="font:16px/1.5 sans-serif;max-width:36em;margin:0 auto;padding:16px">${written.map(toHtml).join('')}</body></html>`
  }
}

function toText(block: EmailBlock): string {
  if (typeof block === 'string') return block
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return 'link' in block ? `${block.label}:\n${block.link}` : ''
}

function toHtml(block: EmailBlock): string {
  if (typeof block === 'string') return `<p>${escapeHtml(block).replaceAll('\n', '<br>')}</p>`
  if ('facts' in block) {
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><th scope="row" align="left" valign="top" style="padding:2px 16px 2px 0;font-weight:normal">${escapeHtml(label)}</th>` +
        `<td valign="top" style="padding:2px 0"><b>${escapeHtml(value)}</b></td></tr>`
    )
    return `<table cellspacing="0" cellpadding="0">${rows.join('')}</table>`
  }
  if ('link' in block) return `<p><a href="${escapeHtml(block.link)}">${escapeHtml(block.label)}</a></p>`
  return `<p><img src="cid:${escapeHtml(block.picture)}" alt="${escapeHtml(block.alt)}" width="220"></p>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
