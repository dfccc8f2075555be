import type { SamplePicture } from '#platform/http/service.ts'

// Drawings instead of photographs: they show no real people and are free of rights.

const width = 1200
const height = 675

function drawScene(sky: [string, string], shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="576" viewBox="0 0 ${width} ${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0.2" y2="1">
      <stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/>
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>${shapes}</svg>`
}

const repeatShape = (count: number, shape: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => shape(index)).join('')

const drawGround = (top: number, swing: number, colour: string) =>
  `<path d="M0 ${top} Q 300 ${top - swing} 620 ${top} T ${width} ${top - swing / 2} V${height} H0 Z" fill="${colour}"/>`

const drawTree = (x: number, y: number, size: number, colour: string) => `
  <rect x="${x - size * 0.09}" y="${y - size}" width="${size * 0.18}" height="${size}" fill="#6b4a3a"/>
  <circle cx="${x}" cy="${y - size * 1.35}" r="${size * 0.62}" fill="${colour}"/>
  <circle cx="${x - size * 0.4}" cy="${y - size}" r="${size * 0.42}" fill="${colour}"/>
  <circle cx="${x + size * 0.42}" cy="${y - size * 1.02}" r="${size * 0.4}" fill="${colour}"/>`

const drawWindow = (x: number, y: number, light: string) => `
  <rect x="${x}" y="${y}" width="92" height="112" rx="8" fill="${light}" stroke="#fff6e6" stroke-width="9"/>
  <path d="M${x + 46} ${y} v112 M${x} ${y + 52} h92" stroke="#fff6e6" stroke-width="6"/>`

const drawDrop = (x: number, y: number, size: number, colour: string) =>
  `<path d="M${x} ${y - size * 1.5} C ${x + size} ${y - size * 0.2} ${x + size} ${y + size} ${x} ${y + size} S ${x - size} ${y - size * 0.2} ${x} ${y - size * 1.5} Z" fill="${colour}"/>`

/** Rows of tiles between two slopes; some are missing. */
const tiles = repeatShape(7, row =>
  repeatShape(17, index => {
    const y = 196 + row * 30
    const x = 330 + index * 34 + (row % 2) * 17
    const isOnRoof = Math.abs(x - 600) < 20 + (y - 150) * 1.22
    const isMissing = row > 2 && row < 6 && index > 9 && index < 13
    return isOnRoof && !isMissing
      ? `<path d="M${x - 17} ${y} h34 v14 a17 15 0 0 1 -34 0 Z" fill="${['#b4543a', '#c2623f', '#a84b35'][(row + index * 2) % 3]}"/>`
      : ''
  })
)

const roof = drawScene(
  ['#b9c7d6', '#f0d9c4'],
  `${repeatShape(46, index => `<path d="M${(index * 137) % width} ${(index * 71) % 420} l-9 34" stroke="#7f97b2" stroke-width="3" stroke-linecap="round" opacity="0.6"/>`)}
   ${drawGround(590, 30, '#8aa07a')}${drawTree(180, 600, 110, '#6f8f62')}${drawTree(1040, 606, 130, '#7d9a68')}
   <rect x="350" y="390" width="500" height="220" fill="#f3dfbf"/>
   <path d="M300 400 L600 150 L900 400 Z" fill="#5b3a35"/>${tiles}
   <path d="M292 408 L600 150 L908 408" fill="none" stroke="#7c3c2d" stroke-width="16" stroke-linecap="round" stroke-linejoin="round"/>
   ${drawWindow(392, 440, '#ffd98a')}${drawWindow(716, 440, '#ffd98a')}
   <path d="M548 610 v-104 a52 52 0 0 1 104 0 v104 Z" fill="#7a4a3a"/><circle cx="634" cy="560" r="6" fill="#f6c469"/>`
)

const drawBucket = (x: number, y: number, size: number, colour: string) => `
  <path d="M${x - size} ${y - size * 1.5} h${size * 2} l${-size * 0.3} ${size * 1.5} h${-size * 1.4} Z" fill="${colour}"/>
  <ellipse cx="${x}" cy="${y - size * 1.5}" rx="${size}" ry="${size * 0.24}" fill="#dcecf5"/>
  <path d="M${x - size} ${y - size * 1.5} a${size} ${size * 0.95} 0 0 1 ${size * 2} 0" fill="none" stroke="#5a5f6b" stroke-width="6"/>`

const buckets = drawScene(
  ['#e9dcc7', '#d8c2a3'],
  `<rect y="520" width="${width}" height="155" fill="#a97c50"/>
   ${repeatShape(9, index => `<path d="M${index * 150} 520 l-60 155" stroke="#8f6540" stroke-width="4"/>`)}
   ${drawBucket(300, 600, 96, '#5f86a6')}${drawBucket(620, 622, 118, '#b5543c')}${drawBucket(930, 596, 88, '#6d8f62')}
   ${repeatShape(9, index => drawDrop([300, 620, 930][index % 3] ?? 0, 90 + Math.floor(index / 3) * 108 + (index % 3) * 34, 14, '#6fa3c7'))}`
)

const drawStand = (x: number, y: number) => `
  <path d="M${x} ${y} v-150 M${x - 46} ${y} L${x} ${y - 44} L${x + 46} ${y}" stroke="#3d3a4f" stroke-width="8" fill="none" stroke-linecap="round"/>
  <path d="M${x - 78} ${y - 236} l156 0 l-12 92 h-132 Z" fill="#3d3a4f"/>
  <path d="M${x - 62} ${y - 226} h58 v72 h-50 Z M${x + 4} ${y - 226} h58 l-8 72 h-50 Z" fill="#fffaf0"/>
  <path d="M${x - 52} ${y - 204} h40 M${x - 50} ${y - 186} h38 M${x + 14} ${y - 204} h40 M${x + 14} ${y - 186} h36" stroke="#b9a78e" stroke-width="5"/>`

const rehearsal = drawScene(
  ['#f6d9b8', '#eab98f'],
  `<rect y="540" width="${width}" height="135" fill="#8f5f43"/>
   <rect x="90" y="90" width="260" height="300" rx="12" fill="#bcd3dd" stroke="#fff6e6" stroke-width="14"/><path d="M220 90 v300 M90 240 h260" stroke="#fff6e6" stroke-width="10"/>
   ${drawStand(520, 600)}${drawStand(760, 616)}${drawStand(1000, 600)}
   <path d="M300 610 q-70 -46 -36 -118 q-26 -64 40 -96 l14 -150 h18 l14 150 q66 32 40 96 q34 72 -36 118 Z" fill="#a3502c"/>
   <path d="M322 250 v330" stroke="#3a2118" stroke-width="9"/><path d="M296 470 q-10 26 0 52 M352 470 q10 26 0 52" stroke="#3a2118" stroke-width="6" fill="none"/>`
)

const drawCat = (x: number, y: number, size: number, colour: string) => `
  <ellipse cx="${x}" cy="${y - size * 0.55}" rx="${size * 0.46}" ry="${size * 0.58}" fill="${colour}"/>
  <circle cx="${x}" cy="${y - size * 1.3}" r="${size * 0.36}" fill="${colour}"/>
  <path d="M${x - size * 0.34} ${y - size * 1.36} l${size * 0.04} ${-size * 0.46} l${size * 0.3} ${size * 0.22} Z M${x + size * 0.34} ${y - size * 1.36} l${-size * 0.04} ${-size * 0.46} l${-size * 0.3} ${size * 0.22} Z" fill="${colour}"/>
  <path d="M${x + size * 0.36} ${y - size * 0.16} q${size * 0.72} ${size * 0.06} ${size * 0.5} ${-size * 0.72}" stroke="${colour}" stroke-width="${size * 0.16}" fill="none" stroke-linecap="round"/>
  <circle cx="${x - size * 0.13}" cy="${y - size * 1.33}" r="${size * 0.05}" fill="#f6d27a"/><circle cx="${x + size * 0.13}" cy="${y - size * 1.33}" r="${size * 0.05}" fill="#f6d27a"/>`

const barn = drawScene(
  ['#27305a', '#6a6394'],
  `<circle cx="980" cy="130" r="62" fill="#fdf2cf"/>
   ${repeatShape(60, index => `<circle cx="${(index * 211) % width}" cy="${(index * 89) % 560}" r="${2 + (index % 4)}" fill="#fff" opacity="0.7"/>`)}
   ${drawGround(560, 26, '#e8edf5')}
   <path d="M250 580 v-220 l170 -130 l170 130 v220 Z" fill="#8d3f36"/><path d="M226 372 L420 220 L614 372" fill="none" stroke="#f4f6fb" stroke-width="26" stroke-linecap="round" stroke-linejoin="round"/>
   <rect x="340" y="420" width="160" height="160" fill="#ffce73"/><path d="M340 420 h160 v160 h-160 Z M340 420 l160 160 M500 420 l-160 160" stroke="#6b2c27" stroke-width="10" fill="none"/>
   <rect x="386" y="300" width="68" height="64" rx="6" fill="#ffce73"/>
   ${drawCat(720, 600, 96, '#2a2638')}${drawCat(872, 612, 82, '#c98d55')}${drawCat(1010, 604, 90, '#4b465f')}`
)

const kitten = drawScene(
  ['#f4e2cf', '#e6c3a2'],
  `<ellipse cx="600" cy="560" rx="420" ry="74" fill="#b5654a"/><ellipse cx="600" cy="544" rx="380" ry="60" fill="#d88a68"/>
   <path d="M330 520 q-20 -210 250 -214 q300 0 300 190 q-10 70 -120 66 h-330 q-92 4 -100 -42 Z" fill="#caa27a"/>
   <path d="M520 330 q20 60 -10 110 M620 316 q26 60 0 116 M720 330 q30 50 8 104" stroke="#9a734f" stroke-width="18" fill="none" stroke-linecap="round"/>
   <circle cx="392" cy="430" r="112" fill="#caa27a"/><path d="M296 380 l4 -116 l92 66 Z M488 380 l-4 -116 l-92 66 Z" fill="#caa27a"/>
   <path d="M336 430 q22 20 44 0 M412 430 q22 20 44 0" stroke="#4c3524" stroke-width="8" fill="none" stroke-linecap="round"/>
   <path d="M396 462 l-12 -12 h24 Z" fill="#c46a5c"/><path d="M840 540 q140 -30 70 -120" stroke="#caa27a" stroke-width="44" fill="none" stroke-linecap="round"/>`
)

const spines = ['#b5543c', '#5f86a6', '#d9a441', '#6d8f62', '#7d5f83', '#e0c9a6', '#3f6f6a']
const books = drawScene(
  ['#f7ead6', '#efcfa6'],
  `<rect x="120" y="330" width="960" height="22" rx="6" fill="#8f5f43"/><rect x="120" y="600" width="960" height="22" rx="6" fill="#8f5f43"/>
   ${repeatShape(17, index => {
     const size = 150 + ((index * 37) % 70)
     return `<rect x="${160 + index * 42}" y="${330 - size}" width="36" height="${size}" rx="5" fill="${spines[index % 7]}"/><rect x="${168 + index * 42}" y="${350 - size}" width="20" height="10" fill="#fffaf0" opacity="0.7"/>`
   })}
   <path d="M600 600 q-150 -60 -300 -14 v-180 q160 -46 300 20 q140 -66 300 -20 v180 q-150 -46 -300 14 Z" fill="#fffaf0"/>
   <path d="M600 426 v174" stroke="#d6c3a4" stroke-width="8"/>
   ${repeatShape(5, index => `<path d="M344 ${446 + index * 26} q110 -26 216 12 M640 ${458 + index * 26} q106 -38 216 -12" stroke="#cbb592" stroke-width="6" fill="none"/>`)}`
)

const entrance = drawScene(
  ['#cfe3ea', '#f6e8cf'],
  `${drawGround(580, 18, '#9db383')}${drawTree(140, 590, 130, '#7fa06c')}
   <rect x="300" y="170" width="640" height="420" fill="#e7b98a"/><rect x="280" y="140" width="680" height="44" rx="8" fill="#9b5b40"/>
   <rect x="770" y="184" width="120" height="406" fill="#bcd6df"/><path d="M770 320 h120 M770 456 h120 M830 184 v406" stroke="#fff" stroke-width="8"/>
   ${drawWindow(350, 230, '#fff1c4')}${drawWindow(500, 230, '#fff1c4')}${drawWindow(640, 230, '#fff1c4')}
   <rect x="470" y="410" width="150" height="180" rx="6" fill="#5f86a6"/><path d="M545 410 v180" stroke="#fff" stroke-width="6"/>
   <path d="M620 590 L1130 640 H560 V590 Z" fill="#b9b2a6"/><path d="M640 540 L1110 588 M700 548 v46 M860 564 v44 M1020 580 v42" stroke="#6a6f7a" stroke-width="8"/>`
)

const garden = drawScene(
  ['#fde8cf', '#f6c7a4'],
  `<circle cx="240" cy="170" r="80" fill="#fff4dc"/>${drawGround(420, 90, '#c9b287')}${drawGround(500, 60, '#9fb07c')}
   <path d="M430 520 v-150 l190 -100 l190 100 v150 Z" fill="#fbeedb"/><path d="M404 386 L620 262 L836 386" fill="none" stroke="#a9593f" stroke-width="30" stroke-linecap="round" stroke-linejoin="round"/>
   ${drawWindow(470, 396, '#ffdc94')}${drawWindow(680, 396, '#ffdc94')}<rect x="586" y="410" width="70" height="110" rx="6" fill="#6d8f62"/>
   ${drawGround(590, 26, '#7f9c63')}${drawTree(960, 580, 120, '#6f9060')}${drawTree(1090, 600, 90, '#88a56c')}
   ${repeatShape(34, index => `<circle cx="${(index * 173) % width}" cy="${592 + ((index * 53) % 70)}" r="${7 + (index % 3) * 3}" fill="${['#e77f86', '#f6d27a', '#fff', '#b98ac0'][index % 4]}"/>`)}`
)

const well = drawScene(
  ['#fbe3b5', '#f2b880'],
  `<circle cx="930" cy="160" r="84" fill="#fff2cf"/>${drawGround(470, 40, '#d89b62')}${drawGround(540, 30, '#c07f4c')}
   ${drawTree(200, 540, 130, '#7f9a58')}
   <ellipse cx="600" cy="610" rx="250" ry="46" fill="#8d8a86"/><ellipse cx="600" cy="596" rx="220" ry="36" fill="#a5a29d"/>
   <rect x="560" y="330" width="80" height="260" rx="14" fill="#3f7f96"/><rect x="546" y="300" width="108" height="44" rx="14" fill="#2f6579"/>
   <path d="M600 306 L820 220" stroke="#2f6579" stroke-width="22" stroke-linecap="round"/><path d="M560 400 h-86 q-26 0 -26 34" stroke="#3f7f96" stroke-width="32" fill="none" stroke-linecap="round"/>
   ${drawDrop(448, 486, 16, '#58a6cf')}${drawDrop(448, 540, 13, '#58a6cf')}${drawBucket(448, 632, 54, '#d9a441')}`
)

/** Pictures of the sample campaigns, by their names in the samples. */
export const samplePictures = {
  roof: newPicture(
    'roof',
    roof,
    'An old house in the rain, tiles are missing on its roof',
    'Ein altes Haus im Regen, auf dem Dach fehlen Ziegel'
  ),
  buckets: newPicture(
    'buckets',
    buckets,
    'Three buckets on floorboards, water drips into them',
    'Drei Eimer auf Dielen, in die Wasser tropft'
  ),
  rehearsal: newPicture(
    'rehearsal',
    rehearsal,
    'A violin beside three music stands',
    'Eine Geige neben drei Notenständern'
  ),
  barn: newPicture(
    'barn',
    barn,
    'Three cats in the snow before a barn with light in it',
    'Drei Katzen im Schnee vor einer Scheune, in der Licht brennt'
  ),
  kitten: newPicture('kitten', kitten, 'A cat asleep on a warm mat', 'Eine Katze schläft auf einer warmen Matte'),
  books: newPicture(
    'books',
    books,
    'An open book before a shelf of colourful books',
    'Ein offenes Buch vor einem Regal mit bunten Büchern'
  ),
  entrance: newPicture(
    'entrance',
    entrance,
    'A house with a ramp to its door and a glass lift',
    'Ein Haus mit einer Rampe zur Tür und einem gläsernen Aufzug'
  ),
  garden: newPicture(
    'garden',
    garden,
    'A low house with a garden full of flowers',
    'Ein flaches Haus mit einem Garten voller Blumen'
  ),
  well: newPicture('well', well, 'A hand pump fills a bucket', 'Eine Handpumpe füllt einen Eimer')
}

function newPicture(name: string, svg: string, en: string, de: string): SamplePicture {
  return { name: `campaign-${name}`, svg, alt: { en, de } }
}
