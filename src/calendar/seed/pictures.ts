import type { Language } from '#platform/language.ts'

/** Drawings instead of photographs: they show no real people and are free of rights. */
export interface SamplePicture {
  alt: Record<Language, string>
  svg: string
}

const width = 1200
const height = 675

function drawScene(sky: [string, string], shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="576" viewBox="0 0 ${width} ${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0.3" y2="1">
      <stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/>
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>${shapes}</svg>`
}

const repeatShape = (count: number, shape: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => shape(index)).join('')

/** A line of hills across the whole width. */
function drawRidge(top: number, swing: number, shift: number, colour: string): string {
  const crest = repeatShape(25, index => {
    const y = top - swing * Math.sin(index / 3.1 + shift) - (swing / 3) * Math.sin(index / 1.3 + 2 * shift)
    return `L${index * 50} ${y.toFixed(1)} `
  })
  return `<path d="M0 ${height} ${crest} L${width} ${height} Z" fill="${colour}" stroke="${colour}" stroke-width="6" stroke-linejoin="round"/>`
}

const hills = drawScene(
  ['#fde3c8', '#f7b9a0'],
  `<circle cx="860" cy="230" r="92" fill="#fff4dc"/><circle cx="860" cy="230" r="150" fill="#fff4dc" opacity="0.35"/>
   ${drawRidge(360, 46, 0.4, '#e59a8b')}${drawRidge(440, 52, 2.1, '#b9798a')}${drawRidge(530, 44, 3.9, '#7d5f83')}${drawRidge(610, 26, 5.2, '#4c466b')}`
)

const drawLantern = (x: number, y: number, size: number, colour: string) => `
  <path d="M${x} ${y - size * 3} V${y - size}" stroke="#2c3350" stroke-width="3"/>
  <circle cx="${x}" cy="${y}" r="${size * 1.9}" fill="${colour}" opacity="0.16"/>
  <ellipse cx="${x}" cy="${y}" rx="${size}" ry="${size * 1.12}" fill="${colour}"/>
  <ellipse cx="${x}" cy="${y}" rx="${size * 0.5}" ry="${size * 1.12}" fill="#fff3d6" opacity="0.35"/>
  <rect x="${x - size * 0.35}" y="${y - size * 1.24}" width="${size * 0.7}" height="${size * 0.2}" rx="4" fill="#2c3350"/>
  <rect x="${x - size * 0.35}" y="${y + size * 1.04}" width="${size * 0.7}" height="${size * 0.2}" rx="4" fill="#2c3350"/>`

const warm = ['#f6b860', '#ef8f6b', '#f2d07a', '#e77f86', '#f6c98f']
const lanterns = drawScene(
  ['#27305a', '#5a4f86'],
  `${repeatShape(40, index => `<circle cx="${(index * 263) % width}" cy="${(index * 97) % 420}" r="${1 + (index % 3)}" fill="#fff" opacity="0.5"/>`)}
   <path d="M-20 90 Q 300 250 600 150 T 1220 110" fill="none" stroke="#2c3350" stroke-width="5"/>
   ${repeatShape(7, index => drawLantern(90 + index * 172, 255 + 46 * Math.sin(index * 1.7), 50 + (index % 3) * 9, warm[index % 5] ?? ''))}
   ${drawRidge(600, 22, 1.2, '#1f2647')}`
)

const drawNote = (x: number, y: number, colour: string) => `
  <ellipse cx="${x}" cy="${y}" rx="27" ry="19" transform="rotate(-22 ${x} ${y})" fill="${colour}"/>
  <rect x="${x + 20}" y="${y - 124}" width="7" height="120" rx="3" fill="${colour}"/>`

const staves = drawScene(
  ['#dcecea', '#f6efd9'],
  `<circle cx="980" cy="560" r="260" fill="#f3c9a5" opacity="0.5"/><circle cx="170" cy="120" r="190" fill="#a9cfc9" opacity="0.5"/>
   ${repeatShape(5, index => `<path d="M-20 ${235 + index * 44} C 300 ${135 + index * 44}, 760 ${345 + index * 44}, 1220 ${215 + index * 44}" fill="none" stroke="#46606b" stroke-width="4" opacity="0.65"/>`)}
   ${drawNote(190, 338, '#2f4858')}${drawNote(352, 300, '#c8553d')}${drawNote(505, 380, '#2f4858')}${drawNote(668, 330, '#588b8b')}${drawNote(840, 412, '#2f4858')}${drawNote(1010, 320, '#c8553d')}`
)

const drawLeaf = ({ x, y }: { x: number; y: number }, turn: number, size: number, colour: string) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"><path d="M0 0 C 46 -34 52 -104 0 -150 C -52 -104 -46 -34 0 0 Z" fill="${colour}"/>
   <path d="M0 6 V-128" stroke="#fff" stroke-opacity="0.45" stroke-width="4"/></g>`

const greens = ['#7fb069', '#4f8a5b', '#a7c957', '#2f6b4f', '#c9d98b']
const leaves = drawScene(
  ['#f2f5df', '#d5e8d0'],
  `<circle cx="940" cy="170" r="110" fill="#f7d488" opacity="0.8"/>
   ${repeatShape(5, index => `<path d="M${150 + index * 235} ${330 - (index % 2) * 80} V690" stroke="#4f8a5b" stroke-width="7"/>`)}
   ${repeatShape(19, index => drawLeaf({ x: 20 + index * 66, y: 690 - (index % 3) * 40 }, -38 + ((index * 29) % 76), 1.35 + (index % 4) * 0.4, greens[index % 5] ?? ''))}
   ${repeatShape(5, index => `<circle cx="${150 + index * 235}" cy="${330 - (index % 2) * 80}" r="26" fill="#e76f51" opacity="0.85"/><circle cx="${150 + index * 235}" cy="${330 - (index % 2) * 80}" r="10" fill="#fbe3b5"/>`)}`
)

const awnings = ['#d96c5f', '#5f8fa8', '#e0a648', '#6d9773']
const drawStall = (x: number, colour: string) => `
  <rect x="${x + 14}" y="330" width="222" height="230" fill="#fffaf0"/><rect x="${x + 14}" y="450" width="222" height="110" fill="#8a6a53"/>
  <rect x="${x + 14}" y="330" width="8" height="230" fill="#5d4a3d"/><rect x="${x + 228}" y="330" width="8" height="230" fill="#5d4a3d"/>
  ${repeatShape(5, index => `<path d="M${x + index * 50} 240 h50 v90 a25 25 0 0 1 -50 0 Z" fill="${index % 2 === 0 ? colour : '#fff8ea'}"/>`)}
  ${repeatShape(5, index => `<circle cx="${x + 50 + index * 38}" cy="440" r="17" fill="${warm[index] ?? ''}"/>`)}`

const market = drawScene(
  ['#d8e9f3', '#fbeedb'],
  `<path d="M60 330 l120 -150 l120 150 z M420 330 l90 -190 l90 190 z M800 330 l140 -130 l140 130 z" fill="#c9b7b0" opacity="0.55"/>
   <rect y="550" width="${width}" height="130" fill="#cbb79f"/>${repeatShape(4, index => drawStall(38 + index * 290, awnings[index] ?? ''))}`
)

const drawWave = (y: number, colour: string, shift: number) =>
  `<path d="M-60 ${y} ${repeatShape(9, () => 'q 75 -46 150 0 t 150 0 ')} V ${height} H -60 Z" transform="translate(${-shift} 0)" fill="${colour}"/>`

const river = drawScene(
  ['#f9e7ef', '#cfe6ee'],
  `<circle cx="300" cy="190" r="84" fill="#f7c9b0"/>
   ${drawRidge(380, 34, 2.7, '#b5cfc0')}${drawRidge(430, 28, 0.6, '#8db39f')}
   ${drawWave(470, '#8fc1d4', 0)}${drawWave(530, '#5f9fb8', 70)}${drawWave(595, '#3b7a96', 20)}
   <path d="M690 470 h210 l-46 58 h-118 Z" fill="#7a4a3a"/><path d="M790 250 v210 h-98 Z" fill="#fffaf0"/><path d="M802 280 v180 h84 Z" fill="#f2d7b6"/>`
)

export const pictures = {
  hills: {
    svg: hills,
    alt: { en: 'Hills behind hills in the evening sun', de: 'Hügel hinter Hügeln in der Abendsonne' }
  },
  lanterns: {
    svg: lanterns,
    alt: { en: 'Paper lanterns on a line at night', de: 'Lampions an einer Leine bei Nacht' }
  },
  staves: { svg: staves, alt: { en: 'Notes on five waving lines', de: 'Noten auf fünf geschwungenen Linien' } },
  leaves: { svg: leaves, alt: { en: 'Leaves and small red flowers', de: 'Blätter und kleine rote Blüten' } },
  market: {
    svg: market,
    alt: { en: 'Four market stalls with striped awnings', de: 'Vier Marktstände mit gestreiften Markisen' }
  },
  river: { svg: river, alt: { en: 'A sailing boat on a river', de: 'Ein Segelboot auf einem Fluss' } }
} satisfies Record<string, SamplePicture>
