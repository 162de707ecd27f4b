import Essentials
import HTTP

extension Report {
    /// A page that needs nothing else: no script, no other file.
    package var html: String {
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Comparison – Understudy</title>
            <style>\(Self.style)</style>
            <h1>Comparison</h1>
            \(platforms.map(section))
            \(madeSection)
            \(needs.map { "<p>\($0.sentence)</p>\n<pre>\($0.line)</pre>" as HTML })
            \(notes.map { "<p>\($0)</p>" as HTML })
            </html>

            """
        return page.text
    }

    private func section(_ platform: String) -> HTML {
        """
        <h2>\(titles[platform] ?? platform)</h2>
        <p>\(coverage(of: platform))</p>
        \(routes(of: platform).map(\.html))
        """
    }

    private var madeSection: HTML {
        if made.isEmpty { return .none }
        return """
            <h2>\(Self.madeTitle)</h2>
            \(made.map { "<p>\($0.sentence)</p>\n<pre>\($0.line)</pre>" as HTML })
            """
    }

    private static let style = HTML(
        markup: """
            :root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
            code,pre{font-family:ui-monospace,monospace;overflow-wrap:anywhere}pre{white-space:pre-wrap}h3{font-size:1rem;margin:1rem 0 0}\
            h3 span{font-weight:400;padding:0 .4em;border:1px solid;border-radius:.3em}\
            .differs span,.not-emulated span{color:light-dark(#a40000,#ff9d8a)}.agrees span{color:light-dark(#00600f,#8fdc9a)}\
            table{border-collapse:collapse;width:100%}td{border-top:1px solid #8888;padding:.2em .5em;vertical-align:top;overflow-wrap:anywhere}
            """)
}

extension Report.Route {
    fileprivate var html: HTML {
        """
        <section class="\(state.rawValue.replacing(" ", with: "-"))">
        <h3><code>\(name)</code> <span>\(state.rawValue)</span></h3>
        \(rows.isEmpty ? .none : "<table>\n\(rows)\n</table>" as HTML)
        </section>
        """
    }

    private var rows: [HTML] {
        let differences = seen.map { seen in
            let why = seen.allowed.map { " – allowed: \($0)" } ?? ""
            return "<tr><td>\(seen.difference.sentence + why)<td>\(Self.numbers(seen.numbers))" as HTML
        }
        return differences
            + notComparable.map {
                "<tr><td>Not comparable: \($0.reason)<td>\(Self.numbers($0.numbers))" as HTML
            }
    }
}
