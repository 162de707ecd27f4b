import HTTP
import PlatformKit

// What can be created: one button, and the form of what was chosen.
extension RecordsPage {
    /// What can be created: a menu, each entry of which leads to its form.
    var menu: HTML {
        if makers.isEmpty { return "<p class=\"more\"><a href=\"\(base)/mint\">Mint a token</a></p>" }
        let entries = makers.map { maker in
            """
            <li><a href="\(base)/devices?create=\(maker.name.percentEncoded)">\(maker.new.title) <span class="about">\(maker.platform.title)</span></a></li>
            """ as HTML
        }
        // The primary button of the page is that of the form, where one is open.
        let look: HTML = maker == HTML.none ? " class=\"primary\"" : ""
        return """
            <details class="menu drop">
            <summary\(look)>Create…</summary>
            <ul>
            \(entries + ["<li><a href=\"\(base)/mint\">Mint a token</a></li>"])
            </ul>
            </details>
            """
    }

    /// The form that is asked for, or that was refused, with what was typed.
    var maker: HTML {
        let wanted = refused.map { $0.platform + "/" + $0.kind } ?? creating
        guard let maker = makers.first(where: { $0.name == wanted }) else { return .none }
        let (name, new) = (maker.platform.name, maker.new)
        return """
            <section class="panel maker" aria-labelledby="maker-title">
            <h2 id="maker-title">\(new.title) <span class="about">\(maker.platform.title)</span></h2>
            <form class="inputs" action="\(base)/devices" method="post" aria-label="\(new.title), \(maker.platform.title)">
            <input type="hidden" name="platform" value="\(name)">
            <input type="hidden" name="kind" value="\(new.kind)">
            \(RecordForm(inputs: new.inputs, typed: refused?.inputs).html)
            <button class="primary" type="submit">\(new.title)</button>
            <a href="\(base)/devices">Cancel</a>
            </form>
            </section>
            """
    }
}
