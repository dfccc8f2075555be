import { freeCost, newEuroCost, type SampleEvent } from './sample-event.ts'

/** The events of a small town from last month to three months ahead. */
export const seasons: SampleEvent[] = [
  {
    en: ['Bicycle market', '<p>Old bicycles find new legs.</p>'],
    de: ['Fahrradbörse', '<p>Alte Fahrräder finden neue Beine.</p>'],
    when: { week: -5, day: 'sat', from: '10:00', to: '14:00' },
    venue: 'market',
    organizer: 'neighbours',
    categories: ['festivals'],
    tags: ['outdoors', 'family'],
    picture: 'market',
    about: 'market'
  },
  {
    en: [
      'Chamber music at noon',
      '<p>Forty minutes of Haydn instead of lunch, or with it: sandwiches are allowed.</p>'
    ],
    de: [
      'Kammermusik am Mittag',
      '<p>Vierzig Minuten Haydn statt Mittagessen oder dazu: Butterbrote sind erlaubt.</p>'
    ],
    when: { week: -4, day: 'wed', from: '12:30', to: '13:10' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music'],
    tags: ['free', 'accessible'],
    picture: 'staves',
    about: 'concert',
    more: { cost: freeCost }
  },
  {
    en: ['Toad patrol', '<p>With buckets and torches we carry toads across the road.</p>'],
    de: [
      'Krötenwanderung: Helferinnen und Helfer für den Amphibienschutzzaun an der Kreisstraße gesucht',
      '<p>Mit Eimern und Taschenlampen tragen wir Kröten über die Straße.</p>'
    ],
    when: { week: -3, day: 'thu', from: '20:00', to: '22:00' },
    venue: 'barn',
    organizer: 'meadow',
    categories: ['nature'],
    tags: ['outdoors', 'evening', 'handsOn'],
    picture: 'hills',
    about: 'outdoors'
  },
  {
    en: ['Cake sale for the cats', '<p>Twenty-three cakes, one purpose.</p>'],
    de: ['Kuchenverkauf für die Katzen', '<p>Dreiundzwanzig Kuchen, ein Zweck.</p>'],
    when: { week: -2, day: 'sun', from: '14:00', to: '17:00' },
    venue: 'market',
    organizer: 'shelter',
    categories: ['benefit'],
    tags: ['family'],
    about: 'market'
  },
  {
    en: ['Bookbinding in an evening', '<p>Everyone goes home with a notebook and gluey fingers.</p>'],
    de: ['Buchbinden an einem Abend', '<p>Alle gehen mit einem Notizbuch und klebrigen Fingern nach Hause.</p>'],
    when: { week: -1, day: 'thu', from: '18:30', to: '21:30' },
    venue: 'library',
    organizer: 'neighbours',
    categories: ['courses'],
    tags: ['beginners', 'handsOn', 'evening'],
    about: 'course',
    more: { cost: newEuroCost(25), ticketed: true }
  },
  {
    en: ['Neighbours’ breakfast', '<p>One long table. Bring what you like; leave what is left.</p>'],
    de: ['Nachbarschaftsfrühstück', '<p>Ein langer Tisch. Mitbringen, was schmeckt; dalassen, was übrig ist.</p>'],
    when: { week: 0, day: 'sun', from: '10:00', to: '12:30' },
    venue: 'garden',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    tags: ['family', 'free'],
    picture: 'leaves',
    more: { cost: freeCost }
  },
  {
    en: ['Choir for people who cannot sing', '<p>It turns out that they can.</p>'],
    de: ['Chor für alle, die nicht singen können', '<p>Es stellt sich heraus: Sie können es.</p>'],
    when: { week: 0, day: 'thu', from: '19:00', to: '20:30' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music', 'courses'],
    tags: ['beginners', 'evening', 'free'],
    more: { cost: freeCost }
  },
  {
    en: ['Town council for beginners', '<p>Who decides what, and where to sit.</p>'],
    when: { week: 1, day: 'tue', from: '18:00', to: '19:30' },
    venue: 'library',
    organizer: 'neighbours',
    categories: ['courses'],
    tags: ['beginners', 'accessible', 'free'],
    more: { cost: freeCost }
  },
  {
    de: ['Plattdeutscher Erzählabend', '<p>Geschichten, die auf Hochdeutsch nicht lustig wären.</p>'],
    when: { week: 2, day: 'thu', from: '19:30', to: '21:30' },
    venue: 'barn',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    tags: ['evening'],
    more: { cost: newEuroCost(5) }
  },
  {
    en: ['Morning chorus', '<p>The meadow at five in the morning is louder than the town at noon.</p>'],
    de: ['Vogelstimmen am Morgen', '<p>Die Wiese um fünf ist lauter als die Stadt um zwölf.</p>'],
    when: { week: 3, day: 'sun', from: '05:00', to: '07:30' },
    venue: 'barn',
    organizer: 'meadow',
    categories: ['nature'],
    tags: ['outdoors'],
    picture: 'hills',
    about: 'outdoors'
  },
  {
    en: ['First aid for pets', '<p>What to do until the vet comes, and what to leave alone.</p>'],
    de: ['Erste Hilfe für Haustiere', '<p>Was man tun kann, bis die Tierärztin kommt, und was man lassen sollte.</p>'],
    when: { week: 3, day: 'wed', from: '18:00', to: '20:00' },
    venue: 'library',
    organizer: 'shelter',
    categories: ['courses'],
    tags: ['beginners', 'accessible'],
    about: 'course',
    more: { cost: newEuroCost(15), ticketed: true }
  },
  {
    en: ['Open day at the music school', '<p>Try every instrument once. Even the bassoon.</p>'],
    de: ['Tag der offenen Tür in der Musikschule', '<p>Jedes Instrument einmal ausprobieren. Auch das Fagott.</p>'],
    when: { week: 4, day: 'sun', from: '11:00', to: '16:00' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music'],
    tags: ['family', 'handsOn', 'free', 'accessible'],
    picture: 'staves',
    more: { cost: freeCost }
  },
  {
    en: ['Seed swap', '<p>Beans for beets, tomatoes for tales.</p>'],
    de: ['Saatgut-Tauschbörse', '<p>Bohnen gegen Rüben, Tomaten gegen Geschichten.</p>'],
    when: { week: 4, day: 'sat', from: '14:00', to: '17:00' },
    venue: 'garden',
    organizer: 'neighbours',
    categories: ['nature', 'neighbourhood'],
    tags: ['outdoors', 'free'],
    picture: 'leaves',
    more: { cost: freeCost }
  },
  {
    en: ['Sponsored run along the river', '<p>A euro a kilometre, five kilometres a lap, and soup at the end.</p>'],
    de: ['Spendenlauf am Fluss', '<p>Ein Euro je Kilometer, fünf Kilometer je Runde und Suppe im Ziel.</p>'],
    when: { week: 6, day: 'sun', from: '10:00', to: '15:00' },
    venue: 'market',
    organizer: 'shelter',
    categories: ['benefit'],
    tags: ['family', 'outdoors'],
    picture: 'river',
    more: { featured: true }
  },
  {
    en: ['Letterpress for two hands', '<p>Set your own name in lead and take it home on paper.</p>'],
    de: ['Bleisatz für zwei Hände', '<p>Den eigenen Namen in Blei setzen und auf Papier mitnehmen.</p>'],
    when: { week: 6, day: 'wed', from: '17:00', to: '20:00' },
    venue: 'barn',
    organizer: 'neighbours',
    categories: ['courses'],
    tags: ['handsOn', 'beginners'],
    about: 'course',
    more: { cost: newEuroCost(30), ticketed: true }
  },
  {
    en: ['Night of the cellars', '<p>Seven cellars under the old town, each with a musician in it.</p>'],
    de: ['Nacht der Keller', '<p>Sieben Keller unter der Altstadt, in jedem spielt jemand.</p>'],
    when: { week: 7, day: 'fri', from: '19:00', to: '00:00' },
    venue: 'market',
    organizer: 'school',
    categories: ['music', 'festivals'],
    tags: ['evening'],
    picture: 'lanterns',
    about: 'concert',
    more: { cost: newEuroCost(9, 12), ticketed: true }
  },
  {
    en: ['Mowing with scythes', '<p>Quieter than a machine, and kinder to frogs.</p>'],
    de: ['Mähen mit der Sense', '<p>Leiser als eine Maschine und freundlicher zu Fröschen.</p>'],
    when: { week: 7, day: 'sat', from: '06:00', to: '10:00' },
    venue: 'garden',
    organizer: 'meadow',
    categories: ['nature', 'courses'],
    tags: ['outdoors', 'handsOn', 'beginners'],
    about: 'outdoors'
  },
  {
    de: [
      'Jahreshauptversammlung des Nachbarschaftsvereins mit Neuwahl des Vorstands und anschließendem Umtrunk',
      '<p>Bericht, Kasse, Wahl, Suppe. Gäste sind willkommen.</p>'
    ],
    when: { week: 8, day: 'tue', from: '19:00', to: '21:30' },
    venue: 'library',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    tags: ['accessible', 'evening']
  },
  {
    en: ['Family weekend at the mill', '<p>Grinding, baking, sleeping in straw.</p>'],
    de: ['Familienwochenende an der Mühle', '<p>Mahlen, backen, im Stroh schlafen.</p>'],
    when: { week: 10, day: 'sat', days: 2 },
    venue: 'barn',
    organizer: 'meadow',
    categories: ['nature', 'neighbourhood'],
    tags: ['family', 'handsOn'],
    picture: 'hills',
    more: { cost: newEuroCost(18, 35), ticketed: true }
  },
  {
    en: ['Orchestra in the barn', '<p>Mendelssohn between hay and headlights.</p>'],
    de: ['Orchester in der Scheune', '<p>Mendelssohn zwischen Heu und Scheinwerfern.</p>'],
    when: { week: 11, day: 'sun', from: '17:00', to: '19:00' },
    venue: 'barn',
    organizer: 'school',
    categories: ['music'],
    tags: ['accessible'],
    picture: 'staves',
    about: 'concert',
    more: { cost: newEuroCost(14), ticketed: true }
  },
  {
    en: ['Long table on the market square', '<p>Two hundred metres of table, and room for everyone.</p>'],
    de: ['Lange Tafel auf dem Marktplatz', '<p>Zweihundert Meter Tisch und Platz für alle.</p>'],
    when: { week: 12, day: 'sat', from: '12:00', to: '18:00' },
    venue: 'market',
    organizer: 'neighbours',
    categories: ['festivals', 'neighbourhood'],
    tags: ['family', 'outdoors', 'free'],
    picture: 'market',
    more: { cost: freeCost }
  },
  {
    en: ['Swap shop for musical instruments', '<p>A trumpet for a cello? Someone will say yes.</p>'],
    de: ['Tauschbörse für Instrumente', '<p>Eine Trompete gegen ein Cello? Irgendjemand sagt ja.</p>'],
    when: { week: 5, day: 'tue', from: '16:00', to: '19:00' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music', 'neighbourhood'],
    tags: ['free', 'accessible'],
    more: { cost: freeCost }
  }
]
