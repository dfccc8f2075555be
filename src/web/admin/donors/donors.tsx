import type { ListedDonor } from '#fundraising/donors/listing/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, throwMalformedAsNotFound, withQuery } from '../../server/api-client.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter, Download } from '../shared/context.ts'
import { downloadCsv } from '../shared/csv-download.ts'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { type Column, ListActions, Table } from '../shared/table.tsx'
import { DonorLine, DonorSearch, donorsMenu, formatSums, getDonorPath, toSiteDay } from './donor-format.tsx'
import { endNews } from './donor-news.tsx'
import { addNote, removeNote, showDonor } from './donor-page.tsx'
import { markDifferent, merge, showDuplicates, showMerge, showMergeSearch, undoMerge } from './duplicates.tsx'
import { openLetter, printLetterYear, saveText, showLetterYear, startLetterRun, writeLetter } from './letter-pages.tsx'

const treasurers: AdminRole[] = ['treasurer']

export function registerDonorRoutes(console: AdminRouter): void {
  const one = `${donorsMenu}/:id`
  console.get(donorsMenu, treasurers, showDonors)
  console.get(`${donorsMenu}.csv`, treasurers, downloadDonors)
  console.get(`${donorsMenu}/of/:donation`, treasurers, openDonorOfDonation)
  console.get(`${donorsMenu}/duplicates`, treasurers, showDuplicates)
  console.get(`${donorsMenu}/letters`, treasurers, async context => await showLetterYear(context))
  console.post(`${donorsMenu}/letters`, treasurers, startLetterRun)
  console.get(`${donorsMenu}/letters/year.pdf`, treasurers, printLetterYear)
  console.post(`${donorsMenu}/letters/text`, treasurers, saveText)
  console.get(`${donorsMenu}/letters/:letter/letter.pdf`, treasurers, openLetter)
  console.get(one, treasurers, async context => await showDonor(context))
  console.post(`${one}/notes`, treasurers, addNote)
  console.post(`${one}/notes/:note/remove`, treasurers, removeNote)
  console.post(`${one}/news/:campaign/:donation/unsubscribe`, treasurers, endNews)
  console.get(`${one}/merge`, treasurers, showMergeSearch)
  console.get(`${one}/merge/:other`, treasurers, async context => await showMerge(context))
  console.post(`${one}/merge/:other`, treasurers, merge)
  console.post(`${one}/distinct/:other`, treasurers, markDifferent)
  console.post(`${one}/merges/:merge/undo`, treasurers, undoMerge)
  console.post(`${one}/letters`, treasurers, writeLetter)
}

const sorts = ['name', 'received', 'lastDonation']

async function showDonors(context: AdminContext): Promise<AdminPage> {
  const { api, language, query } = context
  const strings = getMessages('donors', language)
  const search = (query.search ?? '').trim().slice(0, 200)
  const page = Math.min(getPageNumber(context), 100_000)
  const found = await api.get<ListedDonor[]>('/donor-records', {
    ...(search === '' ? {} : { search }),
    ...(sorts.includes(query.sort ?? '') ? { sort: query.sort } : {}),
    ...(['asc', 'desc'].includes(query.order ?? '') ? { order: query.order } : {}),
    page,
    limit: perPage
  })
  const total = Number(found.header('x-total-count'))
  const pages = Math.ceil(total / perPage)
  return {
    title: strings.title,
    menu: donorsMenu,
    scripts: ['console'],
    actions: (
      <>
        <a class="button quiet" href={`${donorsMenu}/duplicates`}>
          {strings.duplicates}
        </a>
        <a class="button quiet" href={`${donorsMenu}/letters`}>
          {strings.letters}
        </a>
        <ListActions context={context} create={undefined} />
      </>
    ),
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        <DonorSearch context={context} action={donorsMenu} search={search} />
        <Table
          context={context}
          caption={strings.list}
          columns={buildColumns(context)}
          rows={found.body}
          empty={<p>{search === '' ? strings.noneYet : strings.none}</p>}
        />
        <Pager context={context} page={page} pages={page > pages ? 0 : pages} />
      </>
    )
  }
}

function buildColumns(context: AdminContext): Column<ListedDonor>[] {
  const { language } = context
  const strings = getMessages('donors', language)
  return [
    { label: strings.name, sort: 'name', isHead: true, cell: donor => <DonorLine donor={donor} /> },
    {
      label: strings.donations,
      isNumber: true,
      cell: ({ donationCount }) => formatNumber(language, donationCount)
    },
    { label: strings.received, sort: 'received', isNumber: true, cell: donor => formatSums(context, donor) },
    {
      label: strings.last,
      sort: 'lastDonation',
      isNamed: true,
      cell: ({ lastDonationAt }) => formatDay(language, toSiteDay(context, lastDonationAt))
    }
  ]
}

/** Uses the same search as the list. */
async function downloadDonors(context: AdminContext): Promise<Download> {
  const search = (context.query.search ?? '').trim().slice(0, 200)
  return await downloadCsv(context, withQuery('/donor-records.csv', search === '' ? {} : { search }), 'donors')
}

/** From the page of a donation to that of its donor. */
async function openDonorOfDonation(context: AdminContext): Promise<Redirect> {
  const { body } = await context.api
    .get<ListedDonor[]>(`/donor-records?donationId=${encodeURIComponent(context.params.donation ?? '')}`)
    .catch(throwMalformedAsNotFound)
  const [donor] = body
  if (donor === undefined) throw new ApiError(404, 'donor-not-found', getMessages('donors', context.language).unknown)
  return redirect(getDonorPath(donor.id), 303)
}
