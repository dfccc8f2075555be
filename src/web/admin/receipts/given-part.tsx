import type { DonationKind, InKind } from '#fundraising/donation-kind.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'

export const givenPath = '/admin/receipts/given'

const kinds: DonationKind[] = ['money', 'membership_fee', 'waived_expenses', 'in_kind']
const origins: InKind['origin'][] = ['private', 'business', 'unknown']

/** Section of a paid donation that says what was given, as it determines the kind of receipt. */
export function GivenPart({ context, donation }: { context: AdminContext; donation: DonationWithHistory }) {
  const strings = getMessages('receipt', context.language).given
  const { kind = 'money', inKind = null, campaignId, id } = donation
  return (
    <details open={kind !== 'money'}>
      <summary>
        {strings.title}: {strings.kinds[kind]}
      </summary>
      <Form context={context} action={givenPath}>
        <input type="hidden" name="campaignId" value={String(campaignId)} />
        <input type="hidden" name="donationId" value={id} />
        <Field name="givenKind" label={strings.title}>
          {tied => (
            <select {...tied}>
              {kinds.map(one => (
                <option key={one} value={one} selected={one === kind}>
                  {strings.kinds[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p class="hint">{strings.thingHint}</p>
        <Field name="description" label={strings.description} value={inKind?.description ?? ''} maxLength={300} />
        <Field name="condition" label={strings.condition} value={inKind?.condition ?? ''} maxLength={300} />
        <Field name="origin" label={strings.origin}>
          {tied => (
            <select {...tied}>
              {origins.map(one => (
                <option key={one} value={one} selected={one === inKind?.origin}>
                  {strings.origins[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="basis" label={strings.basis} value={inKind?.basis ?? ''} maxLength={300} />
        <Checkbox name="documents" label={strings.documents} checked={inKind?.documents === true} />
        <div class="actions">
          <button type="submit" class="quiet small">
            {getMessages('admin', context.language).save}
          </button>
        </div>
      </Form>
    </details>
  )
}

/** Saves the form and redirects to the donation. */
export async function saveGiven(context: AdminContext): Promise<Redirect> {
  const strings = getMessages('receipt', context.language).given
  const said = (name: string) => getFormField(context, name)
  const kind = kinds.find(one => one === said('givenKind')) ?? 'money'
  const campaignId = /^[0-9]{1,15}$/.test(said('campaignId')) ? said('campaignId') : '0'
  const id = /^[0-9a-f-]{36}$/.test(said('donationId')) ? said('donationId') : '00000000-0000-7000-8000-000000000000'
  const inKind = {
    description: said('description'),
    condition: said('condition') || null,
    origin: origins.find(one => one === said('origin')) ?? 'unknown',
    basis: said('basis') || null,
    documents: said('documents') === 'yes'
  }
  try {
    const change = { kind, inKind: kind === 'in_kind' ? inKind : null }
    await context.api.patch(`/campaigns/${campaignId}/donations/${id}`, change)
    context.flash({ text: strings.saved })
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const labels = { 'inKind/description': strings.description, inKind: strings.description, kind: strings.title }
    context.flash({ text: general ?? Object.values(toLabelledErrors(fields, labels)).join(' '), tone: 'bad' })
  }
  return redirect(`/admin/donations/${campaignId}/${id}`, 303)
}
