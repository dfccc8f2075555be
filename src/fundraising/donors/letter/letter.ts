import { record } from '#platform/activity/activity.ts'
import { type Actor, newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { listUnprintable } from '#platform/images/fonts.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { type Language, legalLanguages, toLegalLanguage } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import {
  newDonorNotFoundProblem,
  newLetterAddressMissingProblem,
  newLetterNotPrintableProblem,
  newLetterSenderMissingProblem,
  newNothingReceivedProblem
} from '../../problems/donors.ts'
import * as donors from '../listing/queries.ts'
import { buildLetterPdf, type LetterContent, listPrintedTexts, sumGifts } from './letter-pdf.ts'
import { readLetterTexts } from './letter-text.ts'
import type { LetterRow } from './queries.ts'
import * as letters from './queries.ts'
import type { LetterSummary, NewLetter } from './schema.ts'

export const letterRunJob = 'letter-run'

type LetterSettings = Pick<Settings, 'timezone' | 'defaultLanguage'>

/** Who writes letters, when, and for which year. */
interface Writing extends Required<Actor> {
  settings: LetterSettings
  year: number
  /** The language of the donor by default. */
  language?: Language | undefined
}

/** Writes the letter of one donor; each currency has a letter of its own. Returns the newest. */
export async function writeLetter(
  db: Database,
  { by, now = new Date(), settings }: Actor & { settings: LetterSettings },
  donorId: string,
  { year, language }: NewLetter
): Promise<LetterRow> {
  const main = await donors.findMain(db, donorId)
  if (main === undefined) throw newDonorNotFoundProblem()
  const written = await writeLettersOf(db, { by, now, settings, year, language }, main.mainId)
  const letter = written.at(-1)
  if (letter === undefined) throw newNothingReceivedProblem(year)
  return letter
}

async function writeLettersOf(db: Database, writing: Writing, mainId: string): Promise<LetterRow[]> {
  const { by, now, year } = writing
  const contents = await prepareLetters(db, writing, mainId)
  // Drawn before the transaction, which stays short.
  const drawn: { content: LetterContent; file: Buffer }[] = []
  for (const content of contents) drawn.push({ content, file: await buildLetterPdf(content) })
  return await db.transaction(async tx => {
    if ((await donors.lockMain(tx, mainId)) === undefined) throw newDonorNotFoundProblem()
    const rows: LetterRow[] = []
    for (const { content, file } of drawn) {
      const letter: LetterRow = {
        id: newUuidV7(now.getTime()),
        donorId: mainId,
        year,
        language: content.language,
        currency: content.currency,
        amountCents: sumGifts(content),
        paymentCount: content.gifts.length,
        writtenAt: now.toISOString(),
        actor: by.name
      }
      await letters.insert(tx, letter, file)
      rows.push(letter)
      const details = { year, letterId: letter.id }
      await record(tx, { by, now }, 'donor.letter_written', { subject: 'donor', id: mainId, details })
    }
    return rows
  })
}

async function prepareLetters(
  db: Database,
  { now, settings, year, language }: Writing,
  mainId: string
): Promise<LetterContent[]> {
  const members = await donors.listMembers(db, mainId)
  const [[donor], gifts, own, texts] = await Promise.all([
    donors.listByIds(db, [mainId]),
    letters.listGifts(db, members, year),
    organisation.find(db),
    readLetterTexts(db)
  ])
  if (donor === undefined) throw newDonorNotFoundProblem()
  if (gifts.length === 0) throw newNothingReceivedProblem(year)
  const { name, street, postalCode, city, country } = donor
  if (street === null || postalCode === null || city === null || country === null)
    throw newLetterAddressMissingProblem()
  if (own.legalName === '' || own.address === null) throw newLetterSenderMissingProblem()
  const chosen = toLegalLanguage(language ?? donor.language ?? settings.defaultLanguage)
  const { opening, closing } = texts[chosen]
  const { legalName, address, signatory, signatoryRole } = own
  const contents = [...new Set(gifts.map(({ currency }) => currency))].map(currency => ({
    language: chosen,
    year,
    writtenOn: toLocalDay(now, settings.timezone),
    writtenAt: now.toISOString(),
    sender: { name: legalName, address, signatory, signatoryRole },
    receiver: { name, address: { street, postalCode, city, country } },
    opening,
    closing,
    currency,
    gifts: gifts
      .filter(gift => gift.currency === currency)
      .map(({ receivedOn, campaignName, campaignTranslations, kind, amountCents }) => ({
        receivedOn,
        campaign: campaignTranslations[chosen]?.name ?? campaignName,
        kind,
        amountCents
      }))
  }))
  const unprintable = [...new Set(contents.flatMap(listPrintedTexts).flatMap(listUnprintable))].filter(
    character => character !== '\n'
  )
  if (unprintable.length > 0) throw newLetterNotPrintableProblem(unprintable)
  return contents
}

export async function findLetterSummary(db: Database, year: number): Promise<LetterSummary> {
  const [written, due] = await Promise.all([letters.countOfYear(db, year), letters.countDue(db, year)])
  return { year, written, ...due }
}

/** Starts writing the letters of all donors with an address who have none for the year yet; a job writes them. */
export async function startLetterRun(db: Database, { by, now = new Date() }: Actor, input: NewLetter): Promise<void> {
  const { year, language } = input
  const own = await organisation.find(db)
  if (own.legalName === '' || own.address === null) throw newLetterSenderMissingProblem()
  await db.transaction(async tx => {
    await record(tx, { by, now }, 'donor.letters_started', { subject: 'donor', id: 'all', details: { year } })
    const payload = { year, language, actor: by.name }
    await enqueue(tx, letterRunJob, { payload, key: `${letterRunJob} ${year}` })
  })
}

const batchSize = 50

/** The job. Letters that cannot be printed are left out; the page of the donor says why. */
export async function processLetterRun(
  db: Database,
  settings: LetterSettings,
  payload: unknown,
  stopping?: AbortSignal
): Promise<void> {
  const { year, language, actor } = parsePayload(payload)
  const by = newSystemCaller(actor)
  let after: string | undefined
  do {
    const due = await letters.listDue(db, year, { after, rows: batchSize })
    for (const donorId of due) {
      if (stopping?.aborted === true) throw new Error('Stopped before all letters were written.')
      try {
        await writeLettersOf(db, { by, now: new Date(), settings, year, language }, donorId)
      } catch (error) {
        // 409 is about the organisation, and would fail for every letter.
        if (!(error instanceof Problem) || error.status === 409) throw error
      }
    }
    after = due.at(-1)
  } while (after !== undefined)
}

function parsePayload(payload: unknown): { year: number; language: Language | undefined; actor: string } {
  const { year, language, actor } = (payload ?? {}) as Record<string, unknown>
  if (typeof year !== 'number' || typeof actor !== 'string') throw new Error('The job has no year or no author.')
  return { year, language: legalLanguages.find(one => one === language), actor }
}
