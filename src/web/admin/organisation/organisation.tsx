import type { Organisation, OrganisationChange } from '#fundraising/organisation/schema.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { SettingsTabs } from '../settings/settings.tsx'
import { ConflictNotice } from '../shared/conflict-notice.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { parseInput, toBody, toInput, toNamedErrors } from '../shared/forms/form-input.ts'
import { type OrganisationInput, organisationFields, treasurerFields } from './organisation-fields.ts'
import { OrganisationForm } from './organisation-form.tsx'

export const organisationPath = '/admin/organisation'
/** Body limit: a picture, plus the other fields. */
const formBytesMax = 512 * 1024

/** Saved values, and errors of the submitted form. */
export interface OrganisationFormState {
  organisation: Organisation
  etag: string
  input: OrganisationInput
  errors: Record<string, string>
  general?: string | undefined
  isConflict?: boolean
}

const treasurers: AdminRole[] = ['treasurer']

/** Legal data of the organisation. Treasurers change what the tax office and receipts need, admins everything. */
export function registerOrganisationRoutes(console: AdminRouter): void {
  console.get(organisationPath, treasurers, async context => buildPage(context, await loadOrganisation(context)))
  console.post(organisationPath, treasurers, save, formBytesMax)
}

/** The saved organisation, with the input of the form that was sent, if there is one. */
async function loadOrganisation(context: AdminContext, sent?: OrganisationInput): Promise<OrganisationFormState> {
  const { body, etag } = await context.api.get<Organisation>('/organisation')
  return { organisation: body, etag, input: sent ?? toOrganisationInput(context, body), errors: {} }
}

function toOrganisationInput(context: AdminContext, organisation: Organisation): OrganisationInput {
  const { exemption, reviewAbove } = organisation
  return {
    ...toInput(context, organisationFields, organisation),
    exemptionKind: exemption?.kind ?? 'none',
    reviewAbove: formatReviewAbove(context.language, reviewAbove)
  }
}

/** With two decimals, as there is no unit beside it. */
function formatReviewAbove(language: Language, amount: number | null): string {
  if (amount === null) return ''
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false }).format(amount)
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('organisation', context.language)
  const input = parseInput(context, organisationFields)
  const { body, errors } = toBody(context, context.hasRole() ? organisationFields : treasurerFields, input)
  if (Object.keys(errors).length > 0) return buildPage(context, { ...(await loadOrganisation(context, input)), errors })
  try {
    const change = {
      ...body,
      // An address with all fields empty is null.
      ...(context.hasRole() && input.street + input.postalCode + input.city === '' ? { address: null } : {}),
      exemption: ['notice', 'provisional'].includes(input.exemptionKind) ? body.exemption : null,
      purposeCodes: getFormFieldValues(context, 'purposeCodes'),
      ...parseSignature(context)
    }
    await context.api.patch('/organisation', change, { 'if-match': getFormField(context, 'etag') || '*' })
    context.flash({ text: strings.saved })
    return redirect(organisationPath, 303)
  } catch (error) {
    const shown = await loadOrganisation(context, input)
    if (isConflict(error)) return buildPage(context, { ...shown, isConflict: true })
    const { fields, general } = toFormErrors(error)
    return buildPage(context, { ...shown, errors: toNamedErrors(organisationFields, strings, fields), general })
  }
}

function parseSignature(context: AdminContext): Pick<OrganisationChange, 'signature'> {
  const { signature } = context.form
  if (isFilePart(signature) && signature.bytes.length > 0) return { signature: signature.bytes.toString('base64') }
  return getFormField(context, 'removeSignature') === 'yes' ? { signature: null } : {}
}

function buildPage(context: AdminContext, shown: OrganisationFormState): AdminPage {
  const hasFailed = shown.general !== undefined || Object.keys(shown.errors).length > 0
  return {
    title: context.hasRole()
      ? getMessages('settings', context.language).title
      : getMessages('admin', context.language).nav.organisation,
    menu: context.hasRole() ? '/admin/settings' : organisationPath,
    scripts: ['console'],
    status: shown.isConflict === true ? 412 : hasFailed ? 422 : 200,
    body: (
      <div class="narrow">
        {context.hasRole() ? (
          <SettingsTabs strings={getMessages('settings', context.language)} part="organisation" />
        ) : null}
        {shown.isConflict === true ? <ConflictNotice context={context} /> : null}
        <OrganisationForm context={context} shown={shown} action={organisationPath} />
      </div>
    )
  }
}
