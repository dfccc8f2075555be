import type { Text } from '#platform/language.ts'
import type { samplePictures } from './pictures.ts'

export type SamplePictureName = keyof typeof samplePictures

export interface SampleStory {
  cover: SamplePictureName
  text?: Text
  pictures?: [name: SamplePictureName, caption: Text][]
  items?: [title: Text, amount: number, quantity: number, text?: Text][]
  milestones?: [title: Text, amount: number][]
  /** Days ago, amount and label. */
  offline?: [daysAgo: number, amount: number, label: Text][]
}

/** Stories of the sample campaigns, by their English names. */
export const sampleStories: Record<string, SampleStory> = {
  'A new roof for the music school': {
    cover: 'roof',
    text: {
      en: `<p>Since the autumn storm there are buckets in the rehearsal room. <strong>180 children and 40 adults</strong> learn here, and every rehearsal begins with moving the chairs out of the rain.</p>
<h2>What happened</h2>
<p>In the night of the storm the wind took two hundred tiles from the west side. The roofers have covered the hole with foil. It will not survive another winter.</p>
<h2>What we do about it</h2>
<ul><li>The scaffold goes up in spring.</li><li>The old tiles come off, the beams are repaired.</li><li>New tiles go on before the summer holidays, and the first concert under a dry roof is for all who helped.</li></ul>
<p>Every square metre costs 85 euros. Donors of a square metre may sign it with chalk before the tiles go on.</p>`,
      de: `<p>Seit dem Herbststurm stehen Eimer im Probenraum. <strong>180 Kinder und 40 Erwachsene</strong> lernen hier, und jede Probe beginnt damit, die Stühle aus dem Regen zu rücken.</p>
<h2>Was geschehen ist</h2>
<p>In der Sturmnacht nahm der Wind zweihundert Ziegel von der Westseite mit. Der Dachdecker hat das Loch mit Folie geschlossen. Einen weiteren Winter hält sie nicht.</p>
<h2>Was wir tun</h2>
<ul><li>Ab dem Frühjahr steht das Gerüst.</li><li>Die alten Ziegel kommen herunter, die Balken werden ausgebessert.</li><li>Vor den Sommerferien liegen die neuen Ziegel, und das erste Konzert unter trockenem Dach ist für alle, die geholfen haben.</li></ul>
<p>Jeder Quadratmeter kostet 85 Euro. Wer einen übernimmt, darf ihn mit Kreide unterschreiben, bevor die Ziegel darauf kommen.</p>`
    },
    pictures: [
      ['buckets', { en: 'The rehearsal room on a Tuesday', de: 'Der Probenraum an einem Dienstag' }],
      [
        'rehearsal',
        { en: 'The violins have moved to the dry corner', de: 'Die Geigen sind in die trockene Ecke gezogen' }
      ]
    ],
    items: [
      [{ en: 'Scaffold', de: 'Gerüst' }, 2400, 1, { en: 'For ten weeks.', de: 'Für zehn Wochen.' }],
      [
        { en: 'A square metre of roof', de: 'Ein Quadratmeter Dach' },
        85,
        220,
        { en: 'Tiles, battens and work.', de: 'Ziegel, Latten und Arbeit.' }
      ],
      [{ en: 'New gutters', de: 'Neue Dachrinnen' }, 2900, 1]
    ],
    milestones: [
      [{ en: 'The scaffold is paid for', de: 'Das Gerüst ist bezahlt' }, 2400],
      [{ en: 'Half of the roof', de: 'Das halbe Dach' }, 12_000],
      [{ en: 'A dry house', de: 'Ein trockenes Haus' }, 24_000]
    ],
    offline: [
      [9, 347.2, { en: 'Cash box at the open day', de: 'Spendendose am Tag der offenen Tür' }],
      [21, 800, { en: 'Benefit concert of the teachers', de: 'Benefizkonzert der Lehrkräfte' }]
    ]
  },
  'Winter shelter for cats': {
    cover: 'barn',
    text: {
      en: `<p>Forty cats, one old barn, and frost from November on. We insulate the barn, buy heat mats and pay the vet.</p>
<p>Most of them are shy and will never live in a flat. <em>They stay with us.</em> They need a dry place that does not freeze, and a person who looks after them twice a day. The people are there. The warmth is not.</p>`,
      de: `<p>Vierzig Katzen, eine alte Scheune und Frost ab November. Wir dämmen die Scheune, kaufen Wärmematten und bezahlen die Tierärztin.</p>
<p>Die meisten sind scheu und werden nie in einer Wohnung leben. <em>Sie bleiben bei uns.</em> Sie brauchen einen trockenen Platz, der nicht gefriert, und Menschen, die zweimal am Tag nach ihnen sehen. Die Menschen gibt es. Die Wärme fehlt.</p>`
    },
    pictures: [['kitten', { en: 'Mittens tries out the first mat', de: 'Mittens probiert die erste Matte aus' }]],
    items: [
      [{ en: 'A heat mat', de: 'Eine Wärmematte' }, 45, 20],
      [{ en: 'A visit to the vet', de: 'Ein Besuch bei der Tierärztin' }, 60, 40],
      [{ en: 'Insulation of the barn', de: 'Dämmung der Scheune' }, 3200, 1]
    ],
    milestones: [
      [{ en: 'Twenty warm places', de: 'Zwanzig warme Plätze' }, 900],
      [{ en: 'Every cat has seen the vet', de: 'Jede Katze war bei der Tierärztin' }, 3300]
    ]
  },
  'Reading mentors for the primary school': {
    cover: 'books',
    items: [
      [{ en: 'A month of bus tickets for a mentor', de: 'Ein Monat Fahrkarten für eine Lesepatin' }, 12.5, 60],
      [{ en: 'A picture book in two languages', de: 'Ein zweisprachiges Bilderbuch' }, 18, 80],
      [{ en: 'A set of books for a class', de: 'Ein Büchersatz für eine Klasse' }, 95, 6],
      [{ en: 'A cupboard that can be locked', de: 'Ein abschließbarer Schrank' }, 440, 1]
    ]
  },
  'A community centre that everyone can enter': { cover: 'entrance' },
  'A children’s hospice for the valley': {
    cover: 'garden',
    milestones: [
      [{ en: 'The building permit', de: 'Die Baugenehmigung' }, 100_000],
      [{ en: 'Two rooms', de: 'Zwei Zimmer' }, 400_000],
      [{ en: 'The garden', de: 'Der Garten' }, 900_000]
    ]
  },
  'Clean water for Mbale': { cover: 'well' }
}
