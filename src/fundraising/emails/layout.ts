import type { Email } from '#platform/email/outbox.ts'

/** A piece of a letter, from which its plain text and its HTML are made. */
export type EmailBlock =
  | string
  /** What somebody copies, line by line: a label and a value. */
  | { facts: [label: string, value: string][] }
  | { link: string; label: string }
  /** An attachment that is shown, for those who see pictures. */
  | { picture: string; alt: string }

/** Both forms of the same letter. A piece without words is left out. */
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
