import { randomUUID } from 'node:crypto'
import type { DonorRecord } from '#fundraising/donors/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { toFormErrors } from '../shared/form.tsx'
import { donorsMenu, getDonorApiPath, getDonorPath } from './donor-format.tsx'
import { Donations, Payments, Years } from './donor-money.tsx'
import { NewsConsents } from './donor-news.tsx'
import { Consents, Facts, Mandates, Merges, Notes, Receipts, Suggestions } from './donor-parts.tsx'
import { LetterPart } from './letter-part.tsx'

/** Input of a form on the page, with its error. */
interface SentForm {
  note?: string
  noteError?: string
  general?: string
}

export async function showDonor(context: AdminContext, sent: SentForm = {}): Promise<AdminPage | Redirect> {
  const { body: donor } = await context.api.get<DonorRecord>(getDonorApiPath(context))
  // A merged donor has the page of the other one.
  if (donor.id !== context.params.id && sent.general === undefined && sent.noteError === undefined) {
    return redirect(getDonorPath(donor.id), 303)
  }
  const strings = getMessages('donors', context.language)
  const part = { context, donor }
  return {
    title: donor.name,
    menu: donorsMenu,
    scripts: ['console'],
    status: sent.general === undefined && sent.noteError === undefined ? 200 : 422,
    actions: (
      <a class="button" href={`/admin/donations/new?donor=${donor.id}`}>
        {strings.record}
      </a>
    ),
    body: (
      <>
        <ErrorSummary title={getMessages('admin', context.language).refused} errors={{}} general={sent.general} />
        <Suggestions {...part} />
        <div class="editor editor-columns money">
          <div class="editor-main">
            <Facts {...part} />
            <Donations {...part} />
            <Payments {...part} />
          </div>
          <div class="editor-side">
            <Years {...part} />
            <LetterPart {...part} />
            <Notes {...part} typed={sent.note ?? ''} idempotencyKey={randomUUID()} error={sent.noteError} />
            <Receipts {...part} />
            <Mandates {...part} />
            <Consents {...part} />
            <NewsConsents {...part} />
            <Merges {...part} />
          </div>
        </div>
      </>
    )
  }
}

const noteMax = 2000

export async function addNote(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('donation', context.language).page
  const text = getFormField(context, 'text').replaceAll('\r\n', '\n')
  const wrong = text === '' ? strings.noteEmpty : [...text].length > noteMax ? strings.noteLong : undefined
  if (wrong !== undefined) return await showDonor(context, { note: text, noteError: wrong })
  const idempotencyKey = getFormField(context, 'idempotencyKey')
  const headers: Record<string, string> = /^[0-9a-f-]{36}$/.test(idempotencyKey)
    ? { 'idempotency-key': idempotencyKey }
    : {}
  try {
    await context.api.post(`${getDonorApiPath(context)}/notes`, { text }, headers)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await showDonor(context, { note: text, noteError: fields.text ?? general ?? '' })
  }
  context.flash({ text: strings.noteAdded })
  return redirect(getDonorPath(context.params.id ?? ''), 303)
}

export async function removeNote(context: AdminContext): Promise<Redirect> {
  await context.api.delete(`${getDonorApiPath(context)}/notes/${encodeURIComponent(context.params.note ?? '')}`)
  context.flash({ text: getMessages('donation', context.language).page.noteRemoved })
  return redirect(getDonorPath(context.params.id ?? ''), 303)
}
