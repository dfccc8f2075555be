import type { Language } from '#platform/language.ts'
import { formatNumber } from '../format/format.ts'

export interface Bar {
  /** Shown below the first, middle and last bar; for every row of the table. */
  label: string
  /** Accessible text of the bar: date and value. */
  title: string
  value: number
  /** Formatted value. */
  shown: string
  /** Formatted second value, shown in the table only. */
  more?: string
}

const [width, height] = [720, 200] as const
/** Minimum height, so that small values stay visible beside huge ones. */
const barHeightMin = 3

/** Bar chart as SVG, with the same data as a table for screen readers and for exact numbers. */
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
  /** Table headings: bar, value, second value. */
  columns: [string, string, string?]
  /** Summary that opens the table. */
  tableLabel: string
  /** Formats the labels of the grid lines. */
  scale?: (value: number) => string
}) {
  const highest = roundUp(Math.max(0, ...bars.map(({ value }) => value)))
  const step = width / Math.max(1, bars.length)
  const tall = (value: number) => (value <= 0 ? 0 : Math.max(barHeightMin, (value / highest) * height))
  const labels = [bars[0], bars[Math.floor((bars.length - 1) / 2)], bars.at(-1)].filter(bar => bar !== undefined)
  return (
    <figure class="bars">
      <div class="bars-picture">
        {/* The SVG is stretched to the available space; text stands beside it, to keep its size. */}
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

/** Rounds up to a number whose half is readable too: 1, 2, 4, 5 or 10, times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find(factor => factor * power >= value) ?? 10) * power
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
