import type { Language, Text } from '#platform/language.ts'
import type { CampaignStatus } from '../campaigns/schema.ts'

export interface SampleCampaign {
  /** The campaign's own language; the other one is its translation. */
  language: Language
  name: Text
  description: Text
  minimum: number
  presets: number[]
  target: number
  status: CampaignStatus
  holder: string
  iban: string
  bank: string
  /** In the order of their donations. */
  donors: [name: string, amount: number, message?: string][]
}

/** IBANs are examples published by the banks; people and places are fictitious. */
export const sampleCampaigns: SampleCampaign[] = [
  {
    language: 'de',
    name: { de: 'Ein neues Dach für die Musikschule', en: 'A new roof for the music school' },
    description: {
      de: 'Seit dem Herbststurm stehen Eimer im Probenraum. Mit 24.000 € decken wir das Dach neu, bevor der nächste Winter kommt.\n\nJeder Quadratmeter kostet 85 €. Wer einen übernimmt, darf ihn mit Kreide unterschreiben, bevor die Ziegel darauf kommen.',
      en: 'Since the autumn storm there are buckets in the rehearsal room. 24,000 euros give us a new roof before the next winter.\n\nEvery square metre costs 85 euros. Donors of a square metre may sign it with chalk before the tiles go on.'
    },
    minimum: 5,
    presets: [10, 25, 85, 170],
    target: 24_000,
    status: 'open',
    holder: 'Musikschule Lindenhof e. V.',
    iban: 'DE89370400440532013000',
    bank: 'Beispielbank Köln',
    donors: [
      ['Annegret Vogt', 85, 'Ein Quadratmeter für die Geigen!'],
      ['Familie Öztürk', 170, 'Unsere Kinder lernen hier seit vier Jahren.'],
      ['Jürgen Weiß', 25],
      ['Bäckerei Schäfer', 500, 'Gute Musik braucht ein trockenes Zuhause.'],
      ['Svenja Krüger', 40],
      ['Chor der Lindenkirche', 612.4, 'Kollekte vom Erntedankkonzert'],
      ['Matthias Groß', 15],
      ['Ewa Nowak', 50],
      ['Zahnarztpraxis Dr. Löffler', 1000],
      ['René Lefèvre', 85, 'Pour le toit, et pour les flûtes.'],
      ['Ingrid Pfannenstiel', 20],
      ['Klasse 7a', 93.15, 'Vom Flohmarkt'],
      ['Thomas Hübner', 170],
      ['Sparverein Dienstag', 260],
      ['Mai Nguyễn', 35, 'Danke für den Klavierunterricht'],
      ['Gerda Schmitz', 10]
    ]
  },
  {
    language: 'en',
    name: { en: 'Winter shelter for cats', de: 'Ein Winterquartier für Katzen' },
    description: {
      en: 'Forty cats, one old barn, and frost from November on. We insulate the barn, buy heat mats and pay the vet. Every euro keeps a paw warm.',
      de: 'Vierzig Katzen, eine alte Scheune und Frost ab November. Wir dämmen die Scheune, kaufen Wärmematten und bezahlen die Tierärztin. Jeder Euro hält eine Pfote warm.'
    },
    minimum: 1,
    presets: [5, 20, 50],
    target: 6500,
    status: 'open',
    holder: 'Riverside Animal Shelter',
    iban: 'IE29AIBK93115212345678',
    bank: 'Example Bank Dublin',
    donors: [
      ['Aoife Byrne', 20, 'For Mittens, who found us here.'],
      ['Tom Hargreaves', 35],
      ['Class 4b, Hill Street School', 187.35, 'We sold cakes!'],
      ['Priya Raman', 60],
      ['Liam O’Connor', 10],
      ['Grace Adeyemi', 45, 'Thank you for what you do.'],
      ['Riverside Veterinary Practice', 750, 'And the vaccinations are on us.'],
      ['Zoë Fitzgerald', 5],
      ['Marek Dvořák', 25],
      ['Two anonymous tabbies', 12.5, 'Meow.'],
      ['Hannah Meyer', 100],
      ['Seán Murphy', 20]
    ]
  },
  {
    language: 'de',
    name: { de: 'Lesepaten für die Grundschule', en: 'Reading mentors for the primary school' },
    description: {
      de: 'Zwanzig Ehrenamtliche lesen jede Woche mit Kindern. Wir brauchen Bücher in acht Sprachen, Fahrkarten und einen Schrank, der sich abschließen lässt.',
      en: 'Twenty volunteers read with children every week. We need books in eight languages, bus tickets, and a cupboard that can be locked.'
    },
    minimum: 2.5,
    presets: [],
    target: 3200,
    status: 'open',
    holder: 'Förderverein Grundschule am Anger',
    iban: 'DE02120300000000202051',
    bank: 'Beispielbank Berlin',
    donors: [
      ['Hannelore Böhm', 30, 'Lesen ist alles.'],
      ['Buchhandlung Seite Eins', 250],
      ['Karim Haddad', 12.5],
      ['Ulrike und Bernd Maaß', 100],
      ['Friederike Jäger', 30, 'Für die Kinder, die zu Hause keine Bücher haben.'],
      ['Stadtbücherei Anger', 400],
      ['Paweł Zieliński', 15],
      ['Oma Lotte', 50, 'Es war einmal …']
    ]
  },
  {
    language: 'de',
    name: {
      de: 'Barrierefreier Umbau des Mehrgenerationenhauses am Lindenplatz mit Aufzug, rollstuhlgerechtem Eingang und Induktionsschleife im Veranstaltungssaal',
      en: 'A community centre that everyone can enter'
    },
    description: {
      de: 'Drei Stufen trennen Menschen im Rollstuhl, mit Rollator oder Kinderwagen von allem, was in unserem Haus geschieht. Wir bauen einen ebenerdigen Eingang, einen Aufzug in den ersten Stock und eine Anlage, mit der auch schwerhörige Gäste jedes Wort verstehen.',
      en: 'Three steps keep people with wheelchairs, walking frames and prams away from all that happens in our house. We build an entrance without them, a lift to the first floor, and a system with which guests who are hard of hearing understand every word.'
    },
    minimum: 5,
    presets: [20, 50, 100, 250],
    target: 48_000,
    status: 'open',
    holder: 'Mehrgenerationenhaus Lindenplatz gGmbH',
    iban: 'DE75512108001245126199',
    bank: 'Beispielbank Frankfurt',
    donors: [
      ['Rollstuhlsportgemeinschaft 1988', 350, 'Endlich!'],
      ['Wolfgang Süß', 50],
      ['Seniorenkreis Lindenplatz', 428.6, 'Aus der Kaffeekasse'],
      ['Leyla Şahin', 20],
      ['Elektro Brüggemann GmbH', 2500],
      ['Charlotte von der Heide-Wiesengrund', 100, 'Für meine Nachbarin']
    ]
  },
  {
    language: 'en',
    name: { en: 'A children’s hospice for the valley', de: 'Ein Kinderhospiz für das Tal' },
    description: {
      en: 'The nearest bed is three hours away. We build eight rooms with a garden, where families stay together for as long as they have. The land is given, the plans are drawn, the county pays a third.',
      de: 'Das nächste Bett ist drei Stunden entfernt. Wir bauen acht Zimmer mit Garten, in denen Familien zusammenbleiben, solange sie können. Das Grundstück ist geschenkt, die Pläne sind gezeichnet, ein Drittel zahlt der Landkreis.'
    },
    minimum: 10,
    presets: [25, 100, 500, 1000, 5000],
    target: 1_250_000,
    status: 'open',
    holder: 'Valley Hospice Foundation',
    iban: 'GB29NWBK60161331926819',
    bank: 'Example Bank London',
    donors: [
      ['The Hargrave Trust', 150_000],
      ['Eleanor and James Whitfield', 25_000, 'For Daniel.'],
      ['Valley Cricket Club', 1830.5],
      ['Fatima al-Rashid', 100],
      ['St. Brigid’s Parish', 4212.75, 'From three Sundays'],
      ['Oliver Chen', 50],
      ['A nurse', 25, 'I know what it means.'],
      ['Sophie Lindqvist', 500]
    ]
  },
  {
    language: 'en',
    name: { en: 'Clean water for Mbale', de: 'Sauberes Wasser für Mbale' },
    description: {
      en: 'Three wells for three villages, built by people who live there. One well serves 400 people for thirty years.',
      de: 'Drei Brunnen für drei Dörfer, gebaut von Menschen, die dort leben. Ein Brunnen versorgt 400 Menschen dreißig Jahre lang.'
    },
    minimum: 10,
    presets: [37.5, 75, 150],
    target: 15_000,
    status: 'closed',
    holder: 'Water Together',
    iban: 'GB29NWBK60161331926819',
    bank: 'Example Bank London',
    donors: [
      ['Margaret Ellis', 1500, 'In memory of my father, who dug wells.'],
      ['Northgate Rowing Club', 4380],
      ['Daniel Okello', 75],
      ['The Friday Choir', 2215.5],
      ['J. and S. Whitcombe', 7000],
      ['Björn Håkansson', 150, 'From Uppsala with love'],
      ['Ruth Nakato', 37.5],
      ['Brewery Lane Runners', 1864, 'Two laps for every litre'],
      ['Ian McAllister', 75],
      ['Amélie Dubois', 300]
    ]
  },
  {
    language: 'de',
    name: { de: 'Instrumente für das Jugendorchester', en: 'Instruments for the youth orchestra' },
    description: {
      de: 'Entwurf: zwei Celli, ein Fagott und eine Pauke, die nicht bei jedem Wetter anders klingt.',
      en: 'Draft: two cellos, a bassoon, and a timpano that does not sound different in every weather.'
    },
    minimum: 5,
    presets: [],
    target: 11_800,
    status: 'draft',
    holder: 'Musikschule Lindenhof e. V.',
    iban: 'DE89370400440532013000',
    bank: 'Beispielbank Köln',
    donors: []
  }
]
