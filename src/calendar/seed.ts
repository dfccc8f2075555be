import { callerAtTheMachine } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { createEvent, updateEvent } from './events/event.ts'
import * as eventLinks from './events/links.ts'
import * as events from './events/queries.ts'
import type { EventChanges } from './events/schema.ts'
import { folded } from './search.ts'
import { slugOf } from './slug.ts'
import { siteAt, type Work } from './tec.ts'
import * as terms from './terms/queries.ts'
import { viewerOf } from './viewer.ts'

/** Texts in the one language and the other. */
type Both = Record<Language, { title: string; description: string }>

interface Sample extends EventChanges {
  texts: Both
}

/** What categories are called in German. */
const german: Record<string, string> = {
  Music: 'Musik',
  Benefit: 'Benefiz',
  Animals: 'Tiere',
  Neighbourhood: 'Nachbarschaft'
}

const lindenhof = {
  venue: 'Musikschule Lindenhof',
  address: 'Lindenallee 12',
  zip: '50674',
  city: 'Köln',
  country: 'Deutschland',
  geo_lat: 50.9323,
  geo_lng: 6.9421
}
const riverside = {
  venue: 'Riverside Community Hall',
  address: '4 Quay Street',
  city: 'Dublin',
  country: 'Ireland',
  geo_lat: 53.3471,
  geo_lng: -6.2621
}
const garden = {
  venue: 'Stadtteilgarten Nord',
  address: 'Am Bahndamm 3',
  zip: '50733',
  city: 'Köln',
  country: 'Deutschland'
}
const school = {
  organizer: 'Musikschule Lindenhof e. V.',
  email: 'post@lindenhof.example',
  website: 'https://lindenhof.example'
}
const shelter = { organizer: 'Riverside Animal Shelter', phone: '+353 1 496 0000' }
const neighbours = { organizer: 'Nachbarschaftsverein Nord' }

/** People and places are made up. Dates are words, so that the sample is always ahead. */
const samples: Sample[] = [
  {
    texts: {
      en: {
        title: 'Benefit concert for the new roof',
        description:
          'The youth orchestra plays Dvořák, the choir sings, and the rain stays outside for once.\n\nAdmission is free; every donation goes into the new roof.'
      },
      de: {
        title: 'Benefizkonzert für das neue Dach',
        description:
          'Das Jugendorchester spielt Dvořák, der Chor singt, und der Regen bleibt ausnahmsweise draußen.\n\nDer Eintritt ist frei; jede Spende fließt in das neue Dach.'
      }
    },
    start_date: 'saturday +14 days 19:30',
    end_date: 'saturday +14 days 21:45',
    timezone: 'Europe/Berlin',
    venue: [{ fields: lindenhof }],
    organizer: [{ fields: school }],
    categories: ['Music', 'Benefit'],
    tags: ['orchestra', 'family'],
    featured: true
  },
  {
    texts: {
      en: { title: 'Open day at the music school', description: 'Try every instrument once. Even the bassoon.' },
      de: {
        title: 'Tag der offenen Tür in der Musikschule',
        description: 'Jedes Instrument einmal ausprobieren. Auch das Fagott.'
      }
    },
    start_date: 'sunday +28 days 11:00',
    end_date: 'sunday +28 days 16:00',
    timezone: 'Europe/Berlin',
    venue: [{ fields: lindenhof }],
    organizer: [{ fields: school }],
    categories: ['Music'],
    tags: ['family']
  },
  {
    texts: {
      en: {
        title: 'Adoption afternoon',
        description: 'Forty cats, six dogs and one opinionated goose are looking for a home.'
      },
      de: {
        title: 'Vermittlungsnachmittag',
        description: 'Vierzig Katzen, sechs Hunde und eine sehr entschiedene Gans suchen ein Zuhause.'
      }
    },
    start_date: 'saturday +21 days 13:00',
    end_date: 'saturday +21 days 17:00',
    timezone: 'Europe/Dublin',
    venue: [{ fields: riverside }],
    organizer: [{ fields: shelter }],
    categories: ['Animals'],
    tags: ['family', 'outdoors']
  },
  {
    texts: {
      en: { title: 'Planting weekend', description: 'Beds for everybody, soup for everybody. Bring gloves.' },
      de: { title: 'Pflanzwochenende', description: 'Beete für alle, Suppe für alle. Bitte Handschuhe mitbringen.' }
    },
    start_date: 'saturday +35 days',
    end_date: 'sunday +42 days',
    all_day: true,
    timezone: 'Europe/Berlin',
    venue: [{ fields: garden }],
    organizer: [{ fields: neighbours }],
    categories: ['Neighbourhood'],
    tags: ['outdoors']
  },
  {
    texts: {
      en: { title: 'Repair café', description: 'Toasters, trousers, bicycles: we mend what is broken, together.' },
      de: { title: 'Repair-Café', description: 'Toaster, Hosen, Fahrräder: Wir reparieren gemeinsam, was kaputt ist.' }
    },
    start_date: 'thursday +7 days 17:00',
    end_date: 'thursday +7 days 20:00',
    timezone: 'Europe/Berlin',
    venue: [{ fields: garden }],
    organizer: [{ fields: neighbours }],
    categories: ['Neighbourhood'],
    tags: ['outdoors'],
    cost: { values: ['0'], symbol: '', position: '', words: '' }
  },
  {
    texts: {
      en: { title: 'Quiz night', description: 'Six rounds, one cup, no telephones. The takings keep forty cats warm.' },
      de: {
        title: 'Quizabend',
        description: 'Sechs Runden, ein Pokal, keine Telefone. Der Erlös hält vierzig Katzen warm.'
      }
    },
    start_date: 'friday +7 days 20:00',
    end_date: 'friday +7 days 23:00',
    timezone: 'Europe/Dublin',
    venue: [{ fields: riverside }],
    organizer: [{ fields: shelter }],
    categories: ['Benefit'],
    tags: ['quiz'],
    cost: { values: ['8'], symbol: '€', position: 'prefix', words: '' },
    ticketed: true
  }
]

/** Any number, as long as nothing else in the database locks it. */
const seedLock = 4_202_611_152

/** Fills in sample events with all that belongs to them; answers how many it made. Those that are there stay as they are. */
export async function seedCalendar(db: Database, settings: Settings, now = new Date()): Promise<number> {
  let made = 0
  for (const sample of samples) if (await makeSample(db, settings, sample, now)) made += 1
  return made
}

async function makeSample(db: Database, settings: Settings, { texts, ...fields }: Sample, now: Date): Promise<boolean> {
  return await db.transaction(async tx => {
    await tx.script(`select pg_advisory_xact_lock(${seedLock})`)
    if (await events.existsTitled(tx, texts.en.title)) return false
    const { id } = await createEvent(tx, workIn(tx, settings, 'en', now), { ...fields, ...texts.en })
    await updateEvent(tx, workIn(tx, settings, 'de', now), id, texts.de, undefined)
    for (const term of await eventLinks.listTermIds(tx, id)) {
      if (term.taxonomy === 'category') await nameInGerman(tx, term.id)
    }
    return true
  })
}

async function nameInGerman(tx: Database, id: number): Promise<void> {
  const [text] = await terms.listTexts(tx, id)
  const name = german[text?.name ?? '']
  if (name === undefined) return
  const slug = slugOf(name, 'de')
  await terms.putText(tx, 'category', id, {
    language: 'de',
    name,
    description: '',
    slug,
    search: folded(`${name} ${slug}`)
  })
}

function workIn(db: Database, settings: Settings, language: Language, now: Date): Work {
  const caller = callerAtTheMachine('sample content')
  return {
    db,
    now,
    zone: settings.timezone,
    site: siteAt('', settings),
    caller,
    viewer: viewerOf(caller),
    language,
    chosenLanguage: language,
    undo: []
  }
}
