import type { Language } from '#platform/language.ts'
import { formatNumber } from '../format/format.ts'

export interface Bar {
  /** Below the first, the last and the one in the middle; in the table for all. */
  label: string
  /** The bar in words: its day and what it stands for. */
  title: string
  value: number
  /** The value in words. */
  shown: string
  /** Another value of the same, in words: only the table has it. */
  more?: string
}

const [width, height] = [720, 200] as const
/** What is not nothing can be seen, also beside something huge. */
const barHeightMin = 3

/** Bars as a picture, with the same as a table for those who do not see them, or want the numbers. */
export function BarChart({
  language,
  caption,
  bars,
  columns,
  tableLabel,
  scale = value => formatNumber(language, value)
}: {
  language: Language
  caption: string
  bars: Bar[]
  /** Heads of the table: what a bar is, what its value is, and what the other value is. */
  columns: [string, string, string?]
  /** Opens the table. */
  tableLabel: string
  /** A value beside the lines. */
  scale?: (value: number) => string
}) {
  const highest = roundUp(Math.max(0, ...bars.map(({ value }) => value)))
  const step = width / Math.max(1, bars.length)
  const tall = (value: number) => (value <= 0 ? 0 : Math.max(barHeightMin, (value / highest) * height))
  const labels = [bars[0], bars[Math.floor((bars.length - 1) / 2)], bars.at(-1)].filter(bar => bar !== undefined)
  return (
    <figure class="bars">
      <div class="bars-picture">
        {/* It is stretched to the place there is, so that letters stand beside it and keep their size. */}
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={caption}>
          {[0, height / 2, height].map(y => (
            <line key={y} class="bars-line" x1="0" x2={width} y1={y} y2={y} vector-effect="non-scaling-stroke" />
          ))}
          {bars.map((bar, index) => (
            <g key={bar.label}>
              <title>{bar.title}</title>
              <rect class="bars-place" x={round(index * step)} y="0" width={round(step)} height={height} />
              <rect
                class="bars-bar"
                x={round((index + 0.16) * step)}
                y={round(height - tall(bar.value))}
                width={round(step * 0.68)}
                height={round(tall(bar.value))}
              />
            </g>
          ))}
        </svg>
        <span class="bars-mark" aria-hidden="true">
          {scale(highest)}
        </span>
        <span class="bars-mark bars-half" aria-hidden="true">
          {scale(highest / 2)}
        </span>
      </div>
      <p class="bars-labels" aria-hidden="true">
        {labels.map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </p>
      <details>
        <summary>{tableLabel}</summary>
        <table class="table bars-table">
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" class="number">
                {columns[1]}
              </th>
              {columns[2] === undefined ? null : (
                <th scope="col" class="number">
                  {columns[2]}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(bar => (
              <tr key={bar.label}>
                <th scope="row">{bar.label}</th>
                <td class="number">{bar.shown}</td>
                {columns[2] === undefined ? null : <td class="number">{bar.more}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** The next number that a half of can be read well: 1, 2, 4, 5 or 10 with zeros. */
function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find(factor => factor * power >= value) ?? 10) * power
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
