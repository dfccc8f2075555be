import type { ListedDonor } from '#fundraising/donors/listing/schema.ts'
import type { Duplicate, Merge } from '#fundraising/donors/merging/schema.ts'
import type { DonorRecord } from '#fundraising/donors/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import {
  DonorLine,
  DonorSearch,
  donorsMenu,
  formatSums,
  getDonorApiPath,
  getDonorPath,
  toSiteDay
} from './donor-format.tsx'

export async function showDuplicates(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('donors', context.language)
  const { body: pairs } = await context.api.get<Duplicate[]>('/donor-duplicates')
  return {
    title: strings.duplicates,
    menu: donorsMenu,
    body: (
      <>
        <p class="lead">{strings.duplicatesLead}</p>
        <Table
          context={context}
          caption={strings.duplicates}
          rows={pairs}
          empty={<p>{strings.noDuplicates}</p>}
          columns={[
            { label: strings.pair, isHead: true, cell: ({ donor }) => <DonorLine donor={donor} /> },
            { label: strings.other, cell: ({ other }) => <DonorLine donor={other} /> },
            {
              label: strings.common,
              isNamed: true,
              cell: ({ reasons }) => reasons.map(reason => strings.reasons[reason]).join(', ')
            },
            {
              label: <span class="visually-hidden">{strings.compare}</span>,
              cell: ({ donor, other }) => (
                <a
                  class="button small quiet"
                  href={`${getDonorPath(donor.id)}/merge/${other.id}`}
                  aria-label={strings.compareOf({ name: other.name })}
                >
                  {strings.compare}
                </a>
              )
            }
          ]}
        />
      </>
    )
  }
}

/** Finds the donor to merge with. */
export async function showMergeSearch(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('donors', context.language)
  const search = (context.query.search ?? '').trim().slice(0, 200)
  const [{ body: donor }, found] = await Promise.all([
    context.api.get<DonorRecord>(getDonorApiPath(context)),
    search === '' ? undefined : context.api.get<ListedDonor[]>('/donor-records', { search, limit: 25 })
  ])
  const others = (found?.body ?? []).filter(({ id }) => id !== donor.id)
  return {
    title: strings.mergeTitle({ name: donor.name }),
    menu: donorsMenu,
    body: (
      <div class="narrow">
        <p class="lead">{strings.mergeLead}</p>
        <DonorSearch context={context} action={`${getDonorPath(donor.id)}/merge`} search={search} />
        {found === undefined ? null : others.length === 0 ? (
          <p role="status">{strings.none}</p>
        ) : (
          <ul class="lines">
            {others.map(other => (
              <li key={other.id} class="line">
                <div class="line-main">
                  <p class="line-title">
                    <DonorLine donor={other} />
                  </p>
                </div>
                <a
                  class="button small quiet"
                  href={`${getDonorPath(donor.id)}/merge/${other.id}`}
                  aria-label={strings.compareOf({ name: other.name })}
                >
                  {strings.compare}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    )
  }
}

/** Shows both donors side by side before they are merged. */
export async function showMerge(context: AdminContext, refused?: string): Promise<AdminPage> {
  const strings = getMessages('donors', context.language)
  const [{ body: donor }, { body: other }] = await Promise.all([
    context.api.get<DonorRecord>(getDonorApiPath(context)),
    context.api.get<DonorRecord>(`/donor-records/${encodeURIComponent(context.params.other ?? '')}`)
  ])
  const path = getDonorPath(donor.id)
  return {
    title: strings.mergeAsk,
    menu: donorsMenu,
    status: refused === undefined ? 200 : 409,
    body: (
      <>
        {refused === undefined ? null : (
          <p class="notice bad" role="alert">
            {refused}
          </p>
        )}
        <p class="lead">{strings.mergeText}</p>
        <div class="dashboard">
          <DonorCard context={context} donor={donor} />
          <DonorCard context={context} donor={other} />
        </div>
        <div class="actions">
          <Form context={context} action={`${path}/merge/${other.id}`}>
            <button type="submit">{strings.mergeYes}</button>
          </Form>
          <Form context={context} action={`${path}/distinct/${other.id}`}>
            <button type="submit" class="quiet">
              {strings.distinct}
            </button>
          </Form>
          <a class="button quiet" href={path}>
            {strings.keep}
          </a>
        </div>
      </>
    )
  }
}

function DonorCard({ context, donor }: { context: AdminContext; donor: DonorRecord }) {
  const { language } = context
  const strings = getMessages('donors', language)
  const { address } = donor
  return (
    <section class="card" aria-label={donor.name}>
      <h2 class="anywhere" dir="auto">
        {donor.name}
      </h2>
      <dl class="facts">
        <div>
          <dt>{strings.emails}</dt>
          <dd class="anywhere">{donor.emails.length === 0 ? '–' : donor.emails.join(', ')}</dd>
        </div>
        <div>
          <dt>{strings.address}</dt>
          <dd class="anywhere" dir="auto">
            {address === null ? '–' : `${address.street}, ${address.postalCode} ${address.city}`}
          </dd>
        </div>
        <div>
          <dt>{strings.donations}</dt>
          <dd>{formatNumber(language, donor.donationCount)}</dd>
        </div>
        <div>
          <dt>{strings.received}</dt>
          <dd>{formatSums(context, donor)}</dd>
        </div>
        <div>
          <dt>{strings.last}</dt>
          <dd>{formatDay(language, toSiteDay(context, donor.lastDonationAt))}</dd>
        </div>
      </dl>
    </section>
  )
}

export async function merge(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('donors', context.language)
  const donorId = context.params.other ?? ''
  const { body: other } = await context.api.get<DonorRecord>(`/donor-records/${encodeURIComponent(donorId)}`)
  try {
    const { body } = await context.api.post<Merge>(`${getDonorApiPath(context)}/merges`, { donorId })
    context.flash({
      text: strings.merged({ name: other.name }),
      undo: { kind: 'undo-merge', params: { id: body.targetId, merge: body.id }, fields: {} }
    })
    return redirect(getDonorPath(body.targetId), 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await showMerge(context, general ?? Object.values(fields).join(' '))
  }
}

export async function markDifferent(context: AdminContext): Promise<AdminPage | Redirect> {
  try {
    await context.api.post(`${getDonorApiPath(context)}/distinctions`, { donorId: context.params.other ?? '' })
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await showMerge(context, general ?? Object.values(fields).join(' '))
  }
  context.flash({ text: getMessages('donors', context.language).distinctDone })
  return redirect(getDonorPath(context.params.id ?? ''), 303)
}

export async function undoMerge(context: AdminContext): Promise<Redirect> {
  const path = getDonorPath(context.params.id ?? '')
  try {
    await context.api.delete(`${getDonorApiPath(context)}/merges/${encodeURIComponent(context.params.merge ?? '')}`)
  } catch (error) {
    const { general } = toFormErrors(error)
    context.flash({ text: general ?? '', tone: 'bad' })
    return redirect(path, 303)
  }
  context.flash({ text: getMessages('donors', context.language).undone })
  return redirect(path, 303)
}
