import { freeCost, newEuroCost, type SampleEvent } from './sample-event.ts'

/** One sample for every kind of event, and a Saturday with seven of them. */
export const highlights: SampleEvent[] = [
  {
    en: [
      'Benefit concert for the new roof',
      '<p>The youth orchestra plays Dvořák, the choir sings, and the rain stays outside for once.</p><p>Admission is free; every donation goes into the new roof.</p>'
    ],
    de: [
      'Benefizkonzert für das neue Dach',
      '<p>Das Jugendorchester spielt Dvořák, der Chor singt, und der Regen bleibt ausnahmsweise draußen.</p><p>Der Eintritt ist frei; jede Spende fließt in das neue Dach.</p>'
    ],
    when: { week: 2, day: 'sat', from: '19:30', to: '21:45' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music', 'benefit'],
    tags: ['evening', 'accessible', 'free'],
    picture: 'staves',
    about: 'concert',
    more: { featured: true, cost: freeCost }
  },
  {
    en: ['Weekly market', '<p>Vegetables, honey, cheese and gossip, all from the valley.</p>'],
    de: ['Wochenmarkt', '<p>Gemüse, Honig, Käse und Neuigkeiten, alles aus dem Tal.</p>'],
    when: { week: 2, day: 'sat', from: '09:00', to: '13:00' },
    venue: 'market',
    organizer: 'neighbours',
    categories: ['festivals'],
    tags: ['outdoors', 'family'],
    picture: 'market',
    about: 'market',
    more: { cost: freeCost }
  },
  {
    en: ['Repair café', '<p>Toasters, trousers, bicycles: we repair what is broken, together.</p>'],
    de: ['Repair-Café', '<p>Toaster, Hosen, Fahrräder: Wir reparieren gemeinsam, was kaputt ist.</p>'],
    when: { week: 2, day: 'sat', from: '10:00', to: '13:00' },
    venue: 'garden',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    tags: ['handsOn', 'free'],
    more: { cost: freeCost }
  },
  {
    en: [
      'Adoption afternoon',
      '<p>Forty cats, six dogs and one opinionated goose are looking for a home.</p><p>You do not have to decide on the day.</p>'
    ],
    de: [
      'Vermittlungsnachmittag',
      '<p>Vierzig Katzen, sechs Hunde und eine sehr entschiedene Gans suchen ein Zuhause.</p><p>Niemand muss sich am selben Tag entscheiden.</p>'
    ],
    when: { week: 2, day: 'sat', from: '13:00', to: '17:00' },
    venue: 'market',
    organizer: 'shelter',
    categories: ['benefit'],
    tags: ['family', 'outdoors']
  },
  {
    en: ['Story hour by the weir', '<p>Three stories, two puppets, one biscuit each. For everyone from four on.</p>'],
    de: [
      'Vorlesestunde am Wehr',
      '<p>Drei Geschichten, zwei Handpuppen, ein Keks für jedes Kind. Für alle ab vier.</p>'
    ],
    when: { week: 2, day: 'sat', from: '11:00', to: '12:00' },
    venue: 'library',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    tags: ['family', 'free', 'accessible'],
    more: { cost: freeCost }
  },
  {
    en: ['Drumming for beginners', '<p>Two hours, ten drums, no notes.</p>'],
    de: ['Trommeln für Anfängerinnen und Anfänger', '<p>Zwei Stunden, zehn Trommeln, keine Noten.</p>'],
    when: { week: 2, day: 'sat', from: '14:00', to: '16:00' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music', 'courses'],
    tags: ['beginners', 'handsOn'],
    about: 'course',
    more: { cost: newEuroCost(12), ticketed: true }
  },
  {
    en: ['Bats over the mill pond', '<p>With detectors we hear what we cannot see.</p>'],
    de: ['Fledermäuse über dem Mühlteich', '<p>Mit Detektoren hören wir, was wir nicht sehen.</p>'],
    when: { week: 2, day: 'sat', from: '21:00', to: '22:30' },
    venue: 'barn',
    organizer: 'meadow',
    categories: ['nature'],
    tags: ['evening', 'outdoors', 'family'],
    picture: 'lanterns',
    about: 'outdoors'
  },
  {
    en: [
      'Lantern festival',
      '<p>Four days, four hundred lanterns, and music on every corner.</p><p>On Thursday we light the first one at the fountain; on Sunday the last one floats down the river.</p>'
    ],
    de: [
      'Ulmenfurter Laternenfest mit Lichterumzug, Straßenmusik und großem Abschlusskonzert am Mühlgraben',
      '<p>Vier Tage, vierhundert Laternen und Musik an jeder Ecke.</p><p>Am Donnerstag zünden wir die erste am Brunnen an; am Sonntag treibt die letzte den Fluss hinunter.</p>'
    ],
    when: { week: 5, day: 'thu', from: '17:00', to: '22:00', days: 4 },
    venue: 'market',
    organizer: 'neighbours',
    categories: ['festivals', 'music'],
    tags: ['family', 'outdoors', 'evening'],
    picture: 'lanterns',
    about: 'market',
    more: { featured: true, cost: freeCost }
  },
  {
    en: [
      'Days of open workshops',
      '<p>Potters, smiths, printers and the last saddler of the valley open their doors.</p><p>Look, ask, try.</p>'
    ],
    de: [
      'Tage der offenen Werkstätten',
      '<p>Töpferinnen, Schmiede, Drucker und die letzte Sattlerin des Tals öffnen ihre Türen.</p><p>Schauen, fragen, ausprobieren.</p>'
    ],
    when: 'end of month',
    venue: 'market',
    organizer: 'neighbours',
    categories: ['festivals', 'neighbourhood'],
    tags: ['handsOn', 'family'],
    picture: 'hills',
    more: { cost: freeCost }
  },
  {
    en: ['Planting day', '<p>Beds for everyone, soup for everyone. Bring gloves.</p>'],
    de: ['Pflanztag', '<p>Beete für alle, Suppe für alle. Bitte Handschuhe mitbringen.</p>'],
    when: { week: 3, day: 'sat', days: 1 },
    venue: 'garden',
    organizer: 'neighbours',
    categories: ['nature', 'neighbourhood'],
    tags: ['outdoors', 'handsOn', 'family'],
    picture: 'leaves',
    about: 'outdoors'
  },
  {
    en: [
      'Exhibition: The river remembers',
      '<p>A hundred and twenty years of high water in photographs and on one very wet chair.</p>'
    ],
    de: [
      'Ausstellung: Der Fluss erinnert sich',
      '<p>Hundertzwanzig Jahre Hochwasser in Fotografien und auf einem sehr nassen Stuhl.</p>'
    ],
    when: { week: -1, day: 'tue', days: 19 },
    venue: 'library',
    organizer: 'meadow',
    categories: ['nature'],
    tags: ['accessible', 'free'],
    picture: 'river',
    more: { cost: freeCost, sticky: true }
  },
  {
    en: ['Quiz night', '<p>Six rounds, one cup, no telephones. The takings keep forty cats warm.</p>'],
    de: ['Quizabend', '<p>Sechs Runden, ein Pokal, keine Telefone. Der Erlös hält vierzig Katzen warm.</p>'],
    when: { week: 1, day: 'fri', from: '20:00', to: '23:00' },
    venue: 'barn',
    organizer: 'shelter',
    categories: ['benefit'],
    tags: ['evening'],
    more: { cost: newEuroCost(8), ticketed: true }
  },
  {
    en: [
      'Open-air cinema on the weir',
      '<p>Cancelled: the river has taken the screen. Tickets are refunded where they were bought.</p>'
    ],
    de: [
      'Freiluftkino am Wehr',
      '<p>Abgesagt: Der Fluss hat die Leinwand mitgenommen. Karten werden dort erstattet, wo sie gekauft wurden.</p>'
    ],
    when: { week: 1, day: 'sat', from: '20:30', to: '23:00' },
    venue: 'library',
    organizer: 'neighbours',
    categories: ['festivals'],
    tags: ['outdoors', 'evening'],
    picture: 'river',
    more: { event_status: 'canceled', cost: newEuroCost(6, 9), ticketed: true }
  },
  {
    en: ['Big band meets brass band', '<p>Postponed: the tuba has the flu. The new date will be announced here.</p>'],
    de: [
      'Bigband trifft Blaskapelle',
      '<p>Verschoben: Die Tuba hat Grippe. Der neue Termin wird hier bekannt gegeben.</p>'
    ],
    when: { week: 4, day: 'fri', from: '19:30', to: '22:00' },
    venue: 'barn',
    organizer: 'school',
    categories: ['music'],
    tags: ['evening'],
    picture: 'staves',
    about: 'concert',
    more: { event_status: 'postponed', cost: newEuroCost(10, 15), ticketed: true }
  },
  {
    en: ['Rehearsal behind closed doors', '<p>For the members of the orchestra and their lifts home.</p>'],
    de: ['Probe hinter verschlossenen Türen', '<p>Für die Mitglieder des Orchesters und alle, die sie abholen.</p>'],
    when: { week: 1, day: 'wed', from: '18:00', to: '20:00' },
    venue: 'lindenhof',
    organizer: 'school',
    categories: ['music'],
    more: { post_password: 'lindenhof' }
  },
  {
    en: ['Summer party of the association', '<p>A draft: who brings the salads?</p>'],
    de: ['Sommerfest des Vereins', '<p>Ein Entwurf: Wer bringt die Salate mit?</p>'],
    when: { week: 9, day: 'sat', from: '15:00', to: '23:00' },
    venue: 'garden',
    organizer: 'neighbours',
    categories: ['neighbourhood'],
    more: { status: 'draft' }
  },
  {
    en: [
      'Concert in our twin town on the coast',
      '<p>Our choir sings far away in the west; the clock there is an hour behind ours.</p>'
    ],
    de: [
      'Konzert in unserer Partnerstadt an der Küste',
      '<p>Unser Chor singt weit im Westen; die Uhr geht dort eine Stunde nach.</p>'
    ],
    when: { week: 3, day: 'fri', from: '20:00', to: '22:00' },
    organizer: 'school',
    categories: ['music'],
    tags: ['evening'],
    more: { timezone: 'Europe/Lisbon' }
  },
  {
    en: [
      'Ask a beekeeper (online)',
      '<p>An hour of questions and answers, with a camera in the hive.</p><p>The link works from a quarter of an hour before.</p>'
    ],
    de: [
      'Frag die Imkerin (online)',
      '<p>Eine Stunde Fragen und Antworten, mit einer Kamera im Bienenstock.</p><p>Der Link funktioniert ab einer Viertelstunde vorher.</p>'
    ],
    when: { week: 2, day: 'tue', from: '19:00', to: '20:00' },
    organizer: 'meadow',
    categories: ['nature', 'courses'],
    tags: ['online', 'evening', 'free'],
    picture: 'leaves',
    more: { website: 'https://ulmenfurt.example/live/bees', cost: freeCost, is_virtual: true }
  }
]
