import type { PurposeCode } from '#fundraising/organisation/purposes.ts'
import type { Organisation, OrganisationChange } from '#fundraising/organisation/schema.ts'
import { isFilePart } from '#platform/form.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { organisationWords } from '../../text/organisation.ts'
import { settingsWords } from '../../text/settings.ts'
import { field, fieldValues } from '../../visit.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { isConflict, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { centsIn } from '../typed-amount.ts'
import { OrganisationForm } from './organisation-form.tsx'
import { PartTabs } from './settings.tsx'

export const organisationPath = '/admin/organisation'
/** A picture, and what comes around it. */
const formBytesMax = 512 * 1024

/** What is saved, and what is wrong with what was sent. */
export interface Shown {
  organisation: Organisation
  etag: string
  errors: Record<string, string>
  general?: string | undefined
  isConflict?: boolean
}

/** Who the organisation is before the law. Only admins come here. */
export function organisationPages(console: Console): void {
  console.show(organisationPath, [], async desk => page(desk, await find(desk)))
  console.take(organisationPath, [], save, formBytesMax)
}

async function find({ api }: Desk): Promise<Shown> {
  const { body, etag } = await api.get<Organisation>('/organisation')
  return { organisation: body, etag, errors: {} }
}

async function save(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = organisationWords[desk.language]
  const typed = field(desk, 'reviewAbove')
  const cents = typed === '' ? null : centsIn(typed, desk.language)
  if (typeof cents === 'string') return page(desk, { ...(await find(desk)), errors: { reviewAbove: cents } })
  try {
    const change = changeIn(desk, cents)
    await desk.api.patch('/organisation', change, { 'if-match': field(desk, 'etag') || '*' })
    desk.say({ text: words.saved })
    return redirect(organisationPath, 303)
  } catch (error) {
    const shown = await find(desk)
    if (isConflict(error)) return page(desk, { ...shown, isConflict: true })
    const { fields, general } = refusedForm(error)
    return page(desk, { ...shown, errors: spoken(inForm(fields), labelsOf(desk)), general })
  }
}

/** What the form says, as the API takes it. An address of which nothing is said is none. */
function changeIn(desk: Desk, cents: number | null): OrganisationChange {
  const said = (name: string) => field(desk, name)
  const address = { street: said('street'), postalCode: said('postalCode'), city: said('city') }
  const hasAddress = Object.values(address).some(text => text !== '')
  const kind = said('exemptionKind')
  const country = said('country')
  const numberOf = (name: string) => (said(name) === '' ? {} : { [name]: Number(said(name)) })
  return {
    legalName: said('legalName'),
    address: hasAddress ? { ...address, ...(country === '' ? {} : { country }) } : null,
    taxOffice: said('taxOffice'),
    taxNumber: said('taxNumber'),
    exemption:
      kind === 'notice' || kind === 'provisional'
        ? { kind, date: said('exemptionDate'), period: said('exemptionPeriod') || null }
        : null,
    purposes: said('purposes'),
    purposeCodes: fieldValues(desk, 'purposeCodes') as PurposeCode[],
    membershipFeesDeductible: said('membershipFeesDeductible') === 'yes',
    signatory: said('signatory'),
    signatoryRole: said('signatoryRole'),
    ...signatureIn(desk),
    taxOfficeInformedOn: said('taxOfficeInformedOn') || null,
    receiptPrefix: said('receiptPrefix'),
    creditorId: said('creditorId') || null,
    ...numberOf('preNotificationDays'),
    confirmationMails: said('confirmationMails') === 'yes',
    // The API reads amounts, whatever they are in here.
    reviewAbove: (cents === null ? null : cents / 100) as never,
    messagesNeedReview: said('messagesNeedReview') === 'yes',
    ...numberOf('retentionYears'),
    proofOfWork: said('proofOfWork') === 'yes'
  }
}

function signatureIn(desk: Desk): Pick<OrganisationChange, 'signature'> {
  const { signature } = desk.form
  if (isFilePart(signature) && signature.bytes.length > 0) return { signature: signature.bytes.toString('base64') }
  return field(desk, 'removeSignature') === 'yes' ? { signature: null } : {}
}

/** The form has the parts of an address and of the exemption side by side. */
function inForm(fields: Record<string, string>): Record<string, string> {
  const names: Record<string, string> = { 'exemption/date': 'exemptionDate', 'exemption/period': 'exemptionPeriod' }
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const name = names[path] ?? path.replace(/^address\//, '')
      return [name, message.replace(path.replaceAll('/', '.'), name)]
    })
  )
}

function labelsOf({ language }: Desk): Record<string, string> {
  const { taxOffice, informedOn, ...words } = organisationWords[language]
  const texts = Object.entries(words).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  return { ...Object.fromEntries(texts), taxOffice, taxOfficeInformedOn: informedOn }
}

function page(desk: Desk, shown: Shown): ConsolePage {
  const { conflict } = consoleWords[desk.language]
  const hasFailed = shown.general !== undefined || Object.keys(shown.errors).length > 0
  return {
    title: settingsWords[desk.language].title,
    menu: '/admin/settings',
    islands: ['console'],
    status: shown.isConflict === true ? 412 : hasFailed ? 422 : 200,
    body: (
      <div class="narrow">
        <PartTabs words={settingsWords[desk.language]} part="organisation" />
        {shown.isConflict === true ? (
          <div class="notice warn" role="alert" tabIndex={-1} data-focus>
            <p>
              <strong>{conflict.title}</strong>
            </p>
            <p>{conflict.text}</p>
          </div>
        ) : null}
        <OrganisationForm desk={desk} shown={shown} action={organisationPath} />
      </div>
    )
  }
}
