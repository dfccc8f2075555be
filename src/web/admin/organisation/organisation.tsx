import type { PurposeCode } from '#fundraising/organisation/purposes.ts'
import type { Organisation, OrganisationChange } from '#fundraising/organisation/schema.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { adminStrings } from '../../strings/admin.ts'
import { SettingsTabs } from '../settings/settings.tsx'
import { settingsStrings } from '../settings/strings.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { parseCents } from '../shared/parse-amount.ts'
import { OrganisationForm } from './organisation-form.tsx'
import { organisationStrings } from './strings.ts'

export const organisationPath = '/admin/organisation'
/** Body limit: a picture, plus the other fields. */
const formBytesMax = 512 * 1024

/** Saved values, and errors of the submitted form. */
export interface OrganisationFormState {
  organisation: Organisation
  etag: string
  errors: Record<string, string>
  general?: string | undefined
  isConflict?: boolean
}

/** Legal data of the organisation. Admins only. */
export function registerOrganisationRoutes(console: AdminRouter): void {
  console.get(organisationPath, [], async context => buildPage(context, await loadOrganisation(context)))
  console.post(organisationPath, [], save, formBytesMax)
}

async function loadOrganisation({ api }: AdminContext): Promise<OrganisationFormState> {
  const { body, etag } = await api.get<Organisation>('/organisation')
  return { organisation: body, etag, errors: {} }
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = organisationStrings[context.language]
  const typed = getFormField(context, 'reviewAbove')
  const cents = typed === '' ? null : parseCents(typed, context.language)
  if (typeof cents === 'string')
    return buildPage(context, { ...(await loadOrganisation(context)), errors: { reviewAbove: cents } })
  try {
    const change = parseChange(context, cents)
    await context.api.patch('/organisation', change, { 'if-match': getFormField(context, 'etag') || '*' })
    context.flash({ text: strings.saved })
    return redirect(organisationPath, 303)
  } catch (error) {
    const shown = await loadOrganisation(context)
    if (isConflict(error)) return buildPage(context, { ...shown, isConflict: true })
    const { fields, general } = toFormErrors(error)
    return buildPage(context, { ...shown, errors: toLabelledErrors(toFormFields(fields), getLabels(context)), general })
  }
}

/** Parses the form into the API's body. An address with all fields empty is null. */
function parseChange(context: AdminContext, cents: number | null): OrganisationChange {
  const said = (name: string) => getFormField(context, name)
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
    purposeCodes: getFormFieldValues(context, 'purposeCodes') as PurposeCode[],
    membershipFeesDeductible: said('membershipFeesDeductible') === 'yes',
    signatory: said('signatory'),
    signatoryRole: said('signatoryRole'),
    ...parseSignature(context),
    taxOfficeInformedOn: said('taxOfficeInformedOn') || null,
    receiptPrefix: said('receiptPrefix'),
    creditorId: said('creditorId') || null,
    ...numberOf('preNotificationDays'),
    confirmationMails: said('confirmationMails') === 'yes',
    // The API takes amounts, not cents.
    reviewAbove: (cents === null ? null : cents / 100) as never,
    messagesNeedReview: said('messagesNeedReview') === 'yes',
    ...numberOf('retentionYears'),
    proofOfWork: said('proofOfWork') === 'yes'
  }
}

function parseSignature(context: AdminContext): Pick<OrganisationChange, 'signature'> {
  const { signature } = context.form
  if (isFilePart(signature) && signature.bytes.length > 0) return { signature: signature.bytes.toString('base64') }
  return getFormField(context, 'removeSignature') === 'yes' ? { signature: null } : {}
}

/** The form flattens the fields of the address and of the exemption. */
function toFormFields(fields: Record<string, string>): Record<string, string> {
  const names: Record<string, string> = { 'exemption/date': 'exemptionDate', 'exemption/period': 'exemptionPeriod' }
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const name = names[path] ?? path.replace(/^address\//, '')
      return [name, message.replace(path.replaceAll('/', '.'), name)]
    })
  )
}

function getLabels({ language }: AdminContext): Record<string, string> {
  const { taxOffice, informedOn, ...strings } = organisationStrings[language]
  const texts = Object.entries(strings).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  return { ...Object.fromEntries(texts), taxOffice, taxOfficeInformedOn: informedOn }
}

function buildPage(context: AdminContext, shown: OrganisationFormState): AdminPage {
  const { conflict } = adminStrings[context.language]
  const hasFailed = shown.general !== undefined || Object.keys(shown.errors).length > 0
  return {
    title: settingsStrings[context.language].title,
    menu: '/admin/settings',
    scripts: ['console'],
    status: shown.isConflict === true ? 412 : hasFailed ? 422 : 200,
    body: (
      <div class="narrow">
        <SettingsTabs strings={settingsStrings[context.language]} part="organisation" />
        {shown.isConflict === true ? (
          <div class="notice warn" role="alert" tabIndex={-1} data-focus>
            <p>
              <strong>{conflict.title}</strong>
            </p>
            <p>{conflict.text}</p>
          </div>
        ) : null}
        <OrganisationForm context={context} shown={shown} action={organisationPath} />
      </div>
    )
  }
}
