import type { Language } from '#platform/language.ts'
import type { OrganizerChanges } from '../organizers/schema.ts'
import type { VenueChanges } from '../venues/schema.ts'

/** A name and an HTML description in each language. */
export type TranslatedName = Record<Language, { name: string; description: string }>

// Ulmenfurt and its people are fictional: addresses and numbers belong to no real person.

const town = { zip: '05512', city: 'Ulmenfurt', country: 'Deutschland' }

export const venues = {
  lindenhof: {
    en: {
      name: 'Lindenhof Music School',
      description: '<p>Red brick, creaking stairs, and a hall with 180 seats. Lift at the side entrance.</p>'
    },
    de: {
      name: 'Musikschule Lindenhof',
      description: '<p>Roter Backstein, knarrende Treppen und ein Saal mit 180 Plätzen. Aufzug am Seiteneingang.</p>'
    },
    fields: {
      ...town,
      address: 'Lindenallee 12',
      geo_lat: 51.6127,
      geo_lng: 10.2049,
      website: 'https://lindenhof.example'
    }
  },
  barn: {
    en: {
      name: 'The Culture Barn',
      description: '<p>A barn of 1783 with a stage of 2019. It is never quite warm: bring a jumper.</p>'
    },
    de: {
      name: 'Kulturscheune Ulmenfurt',
      description:
        '<p>Eine Scheune von 1783 mit einer Bühne von 2019. Ganz warm wird es nie: Bitte einen Pullover mitbringen.</p>'
    },
    fields: { ...town, address: 'Am Mühlgraben 4', geo_lat: 51.6154, geo_lng: 10.1987 }
  },
  garden: {
    en: { name: 'Railway Garden', description: '<p>Raised beds, an old signal box and the best soup in town.</p>' },
    de: {
      name: 'Stadtteilgarten am Bahndamm',
      description: '<p>Hochbeete, ein altes Stellwerk und die beste Suppe der Stadt.</p>'
    },
    fields: { ...town, address: 'Am Bahndamm 3', geo_lat: 51.6081, geo_lng: 10.2113 }
  },
  market: {
    en: { name: 'Market Square', description: '<p>Between town hall and fountain. The bus stops at the corner.</p>' },
    de: { name: 'Marktplatz', description: '<p>Zwischen Rathaus und Brunnen. Der Bus hält an der Ecke.</p>' },
    fields: { ...town, address: 'Markt 1', geo_lat: 51.6119, geo_lng: 10.2012 }
  },
  library: {
    en: {
      name: 'Library by the Weir',
      description: '<p>Three floors of books above the water. Step-free, with a reading garden.</p>'
    },
    de: {
      name: 'Bücherei am Wehr',
      description: '<p>Drei Stockwerke Bücher über dem Wasser. Stufenlos, mit Lesegarten.</p>'
    },
    fields: { ...town, address: 'Wehrgasse 7', phone: '+49 30 23125 010', geo_lat: 51.6103, geo_lng: 10.1969 }
  }
} satisfies Record<string, TranslatedName & { fields: VenueChanges }>

export const organizers = {
  school: {
    en: {
      name: 'Lindenhof Music School',
      description:
        '<p>Four hundred pupils between four and eighty-four, two orchestras, one choir and a roof that leaks.</p>'
    },
    de: {
      name: 'Musikschule Lindenhof e. V.',
      description:
        '<p>Vierhundert Schülerinnen und Schüler zwischen vier und vierundachtzig, zwei Orchester, ein Chor und ein undichtes Dach.</p>'
    },
    fields: { email: 'post@lindenhof.example', website: 'https://lindenhof.example' }
  },
  neighbours: {
    en: {
      name: 'Ulmenfurt Neighbours',
      description: '<p>We repair, plant, cook and lend. Everyone is welcome.</p>'
    },
    de: {
      name: 'Nachbarschaftsverein Ulmenfurt',
      description: '<p>Wir reparieren, pflanzen, kochen und verleihen. Alle können mitmachen, niemand muss.</p>'
    },
    fields: { email: 'hallo@nachbarn.example', phone: '+49 30 23125 020' }
  },
  shelter: {
    en: {
      name: 'Riverside Animal Shelter',
      description: '<p>Forty cats, six dogs and one goose with opinions. We live on donations.</p>'
    },
    de: {
      name: 'Tierheim am Fluss',
      description: '<p>Vierzig Katzen, sechs Hunde und eine Gans mit Ansichten. Wir leben von Spenden.</p>'
    },
    fields: { website: 'https://tierheim.example', phone: '+49 30 23125 030' }
  },
  meadow: {
    en: {
      name: 'Friends of the Ulme Meadows',
      description: '<p>We look after eleven hectares of wet meadow, and show them to everyone who owns boots.</p>'
    },
    de: {
      name: 'Freundeskreis Ulmewiesen',
      description: '<p>Wir pflegen elf Hektar Feuchtwiese und zeigen sie allen, die Stiefel haben.</p>'
    },
    fields: { email: 'wiese@ulmewiesen.example' }
  }
} satisfies Record<string, TranslatedName & { fields: OrganizerChanges }>

/** Names in each language. */
export const categories = {
  music: { en: 'Music', de: 'Musik' },
  festivals: { en: 'Markets and festivals', de: 'Märkte und Feste' },
  courses: { en: 'Courses', de: 'Kurse' },
  nature: { en: 'Nature', de: 'Natur' },
  neighbourhood: { en: 'Neighbourhood', de: 'Nachbarschaft' },
  benefit: { en: 'Benefit', de: 'Benefiz' }
} satisfies Record<string, Record<Language, string>>

export const tags = {
  family: { en: 'for families', de: 'für Familien' },
  outdoors: { en: 'outdoors', de: 'draußen' },
  free: { en: 'free entry', de: 'Eintritt frei' },
  evening: { en: 'evening', de: 'Abend' },
  handsOn: { en: 'hands-on', de: 'zum Mitmachen' },
  accessible: { en: 'step-free', de: 'barrierefrei' },
  beginners: { en: 'for beginners', de: 'für Anfänger' },
  online: { en: 'on the internet', de: 'im Internet' }
} satisfies Record<string, Record<Language, string>>
