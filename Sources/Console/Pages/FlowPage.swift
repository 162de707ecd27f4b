import HTTP
import PlatformKit

/// What the page of one flow shows.
struct FlowPage {
    let base: String
    let chart: FlowChart
    /// What it can be compared with, newest first.
    let others: [Flow]
    /// What it is compared with.
    var beside: Beside?

    struct Beside {
        /// As the address names it.
        let name: String
        /// Where the pages of its world are.
        let base: String
        let chart: FlowChart
    }

    private static let othersShown = 30

    var html: HTML {
        let flow = chart.flow
        let document = "\(base)\(Console.root)/flows/\(flow.id)?format="
        return """
            <article class="flow-page" data-page="flow" data-id="\(flow.id)">
            <header class="lead">
            <div>
            <p class="back"><a href="\(base)/flows">Flows</a></p>
            <h1>\(flow.title)</h1>
            </div>
            <p class="forms">As <a href="\(document)svg">SVG</a> <a href="\(document)mermaid">Mermaid</a> \
            <a href="\(document)text">text</a> <a href="\(document)json">JSON</a></p>
            </header>
            \(comparison)
            <div class="drawings">
            <div class="drawing" id="drawing" tabindex="0" role="region" aria-label="Sequence diagram">
            \(FlowDrawing.svg(chart, base: base))
            </div>
            \(otherDrawing)
            </div>
            \(difference)
            <details>
            <summary>As text</summary>
            <pre class="shell" id="flow-text" data-copy>\(FlowText.text(of: flow))</pre>
            </details>
            <details>
            <summary>As Mermaid, for documentation</summary>
            <pre class="shell" id="flow-mermaid" data-copy>\(FlowMermaid.text(of: chart))</pre>
            </details>
            </article>
            """
    }

    /// What else there is, those of the same title first.
    private var comparison: HTML {
        if others.isEmpty, beside == nil { return .none }
        let alike = others.filter { $0.title == chart.flow.title }
        let unlike = others.filter { $0.title != chart.flow.title }
        let options = (alike + unlike).prefix(Self.othersShown).map { flow in
            (
                String(flow.id),
                "\(flow.title), \(Timestamp.text(flow.steps[0].entry.at).dropFirst(11).prefix(8))"
            )
        }
        return """
            <form class="filters" action="\(base)/flows/\(chart.flow.id)" method="get" aria-label="Compare">
            <label class="field grow"><span>Compare with</span> <select name="beside">\(HTML.options(
                [("", "No other")] + options, chosen: beside?.name ?? ""))</select></label>
            <button type="submit">Compare</button>
            </form>
            """
    }

    private var otherDrawing: HTML {
        guard let beside else { return .none }
        return """
            <div class="drawing" id="drawing-beside" tabindex="0" role="region" aria-label="The other sequence diagram">
            <h2><a href="\(beside.base)/flows/\(beside.chart.flow.id)">\(beside.chart.flow.title)</a></h2>
            \(FlowDrawing.svg(beside.chart, base: beside.base))
            </div>
            """
    }

    /// Their texts, line by line.
    private var difference: HTML {
        guard let beside else { return .none }
        let lines = TextDifference(FlowText.text(of: chart.flow), FlowText.text(of: beside.chart.flow)).lines
        let shown: [HTML] = lines.map { line in
            switch line.side {
            case .both: "<span>  \(line.text)</span>"
            case .first: "<del>- \(line.text)</del>"
            case .second: "<ins>+ \(line.text)</ins>"
            }
        }
        let summary =
            lines.allSatisfy { $0.side == .both }
            ? "Both took the same steps." : "Lines with - are of this flow alone, those with + of the other."
        return """
            <section id="difference" aria-labelledby="difference-title">
            <h2 id="difference-title">Difference</h2>
            <p class="hint">\(summary)</p>
            <pre class="shell difference" tabindex="0">\(shown)</pre>
            </section>
            """
    }
}
