import { otherLanguage } from '#platform/language.ts'
import type { Image } from '../../calendar-api.ts'
import type { Redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { placeWords } from '../../text/places.ts'
import { field } from '../../visit.ts'
import { createItem, readBoth, saveItem } from '../calendar-item.ts'
import { refusedFields, textLanguage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { differencesIn, editorPage, isRefused, type Wrong } from '../editor.tsx'
import { findImage, offeredImages } from '../events/event-choices.ts'
import { decodedSlug } from '../events/event-input.ts'
import { isConflict } from '../form.tsx'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { RemoveTextLink, textRemovalPages } from '../text-removal.tsx'
import { TrashAct, trashPages, unlessTrashed } from '../trash.tsx'
import {
  newPlaceInput,
  PlaceForm,
  type PlaceInput,
  placeBodyOf,
  placeInputFrom,
  placeInputOf,
  placeLabels
} from './place-form.tsx'
import { nameIn, type Place, type PlaceKind } from './place-kinds.ts'
import { downloadPlaces, showPlaces } from './place-list.tsx'

const islands = ['event-form', 'editor']

/** List, editor and trash of one kind. */
export function placePages(console: Console, kind: PlaceKind): void {
  const path = `/admin/${kind.collection}`
  console.show(path, ['editor', 'viewer'], async desk => await showPlaces(desk, kind))
  console.show(`${path}.csv`, ['editor', 'viewer'], async desk => await downloadPlaces(desk, kind))
  console.show(`${path}/new`, ['editor'], async desk => await newPage(desk, kind, newPlaceInput(kind), { errors: {} }))
  console.take(`${path}/new`, ['editor'], async desk => await create(desk, kind), formBytesMax)
  console.show(`${path}/:id`, ['editor'], async desk => await showEditor(desk, kind))
  console.take(`${path}/:id`, ['editor'], async desk => await save(desk, kind), formBytesMax)
  trashPages(console, kind.collection)
  textRemovalPages(console, kind)
}

async function newPage(desk: Desk, kind: PlaceKind, input: PlaceInput, wrong: Wrong): Promise<ConsolePage> {
  const language = textLanguage(desk)
  const images = await offeredImages(desk)
  return editorPage(desk, {
    title: placeWords[desk.language][kind.collection].create,
    menu: `/admin/${kind.collection}`,
    language,
    wrong,
    islands,
    children: (
      <PlaceForm
        {...wrong}
        desk={desk}
        kind={kind}
        language={language}
        etag=""
        input={input}
        other={undefined}
        images={images}
        image={await findImage(desk, images, input.image ?? '')}
      />
    )
  })
}

async function create(desk: Desk, kind: PlaceKind): Promise<ConsolePage | Redirect> {
  const { input, errors } = await withUpload(desk, placeInputFrom(desk, kind))
  if (isRefused({ errors })) return await newPage(desk, kind, input, { errors })
  try {
    const said = placeWords[desk.language][kind.collection].created
    return await createItem(desk, kind.collection, placeBodyOf(kind, input), said)
  } catch (error) {
    return await newPage(desk, kind, input, wrongOf(desk, kind, error))
  }
}

function wrongOf(desk: Desk, kind: PlaceKind, error: unknown): Wrong {
  const { fields, general } = refusedFields(desk, error, placeLabels(desk, kind))
  return { errors: fields, general }
}

interface Read {
  item: Place
  other: Place
  etag: string
  images: Image[]
}

async function readPlace(desk: Desk, { collection }: PlaceKind): Promise<Read> {
  const [read, images] = await Promise.all([readBoth<Place>(desk, collection), offeredImages(desk)])
  return { ...read, images }
}

async function showEditor(desk: Desk, kind: PlaceKind): Promise<ConsolePage> {
  return await unlessTrashed(desk, kind.collection, async () => {
    const read = await readPlace(desk, kind)
    const input = placeInputOf(kind, read.item, textLanguage(desk))
    return await placeEditor(desk, kind, read, { etag: read.etag, input, errors: {} })
  })
}

interface Shown extends Wrong {
  etag: string
  input: PlaceInput
  isConflict?: boolean
}

async function placeEditor(desk: Desk, kind: PlaceKind, read: Read, shown: Shown): Promise<ConsolePage> {
  const { item: place, other, images } = read
  const words = placeWords[desk.language]
  const language = textLanguage(desk)
  const menu = `/admin/${kind.collection}`
  const { isConflict = false, ...form } = shown
  const hasOther = place.translations.includes(otherLanguage(language))
  return editorPage(desk, {
    title: form.input[kind.name] || nameIn(kind, place),
    menu,
    id: place.id,
    language,
    written: place.translations,
    wrong: shown,
    differences: isConflict
      ? differencesIn(placeLabels(desk, kind), placeInputOf(kind, place, language), form.input)
      : undefined,
    islands,
    actions:
      place.status === 'publish' ? (
        <a class="button quiet" href={pathTo(kind.site, place.language, decodedSlug(place.slug))}>
          {words.view}
        </a>
      ) : undefined,
    children: (
      <>
        {place.translations.includes(language) ? null : <p class="notice">{words.notWritten[language]}</p>}
        <PlaceForm
          {...form}
          desk={desk}
          kind={kind}
          id={place.id}
          language={language}
          other={hasOther ? placeInputOf(kind, other, other.language) : undefined}
          images={images}
          image={await findImage(desk, images, form.input.image ?? '')}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink desk={desk} path={`${menu}/${place.id}`} language={language} written={place.translations} />
        <TrashAct desk={desk} collection={kind.collection} item={place} name={nameIn(kind, place)} />
      </>
    )
  })
}

async function save(desk: Desk, kind: PlaceKind): Promise<ConsolePage | Redirect> {
  const { input, errors } = await withUpload(desk, placeInputFrom(desk, kind))
  const again = async (wrong: Wrong) =>
    await placeEditor(desk, kind, await readPlace(desk, kind), { ...wrong, etag: field(desk, 'etag'), input })
  if (isRefused({ errors })) return await again({ errors })
  try {
    return await saveItem(desk, kind.collection, placeBodyOf(kind, input))
  } catch (error) {
    if (!isConflict(error)) return await again(wrongOf(desk, kind, error))
    const read = await readPlace(desk, kind)
    return await placeEditor(desk, kind, read, { etag: read.etag, input, errors: {}, isConflict: true })
  }
}
