import { isDeepStrictEqual } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { type Language, legalLanguages } from '#platform/language.ts'
import * as letters from './queries.ts'
import type { LetterText, LetterTextChange } from './schema.ts'

/** An English letter begins with a capital after the salutation, a German one with a small letter. */
const defaults: Record<Language, LetterTextChange> = {
  en: {
    opening: 'Thank you for your support in {year}. With {amount} in total you made our work possible.',
    closing: 'We are glad to have you with us.\n\nWith kind regards'
  },
  de: {
    opening:
      'herzlichen Dank für Ihre Unterstützung im Jahr {year}. Mit zusammen {amount} haben Sie unsere Arbeit möglich gemacht.',
    closing: 'Schön, dass Sie dabei sind.\n\nMit freundlichen Grüßen'
  }
}

export async function readLetterTexts(db: Database): Promise<Record<Language, LetterText>> {
  const rows = await letters.listTexts(db)
  const texts = legalLanguages.map(language => {
    const row = rows.find(one => one.language === language)
    const text: LetterText = { language, version: 1, ...defaults[language], ...row, isDefault: row === undefined }
    return [language, text]
  })
  return Object.fromEntries(texts)
}

/** Changes the words around the list of gifts. Letters that were written before stay as they are. */
export async function changeLetterText(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  language: Language,
  { opening, closing }: LetterTextChange
): Promise<LetterText> {
  return await db.transaction(async tx => {
    await letters.lockText(tx, language)
    const { isDefault, ...before } = (await readLetterTexts(tx))[language]
    requireVersion(expected, before.version)
    const after = { ...before, opening, closing }
    if (isDeepStrictEqual(before, after)) return { ...before, isDefault }
    const saved = await letters.saveText(tx, after, now)
    await record(tx, { by, now }, 'donor.letter_text_changed', {
      subject: 'donor',
      id: 'all',
      details: { language }
    })
    return { ...saved, isDefault: false }
  })
}
