import HTTP
import PlatformKit

/// Begins a comparison.
struct CompareForm {
    let base: String
    let platforms: [any Platform.Type]
    var title = "Compare a recording"

    var html: HTML {
        let choices = HTML.options([("", "All")] + platforms.map { ($0.name, $0.title) }, chosen: "")
        return """
            <section class="panel" aria-labelledby="form-title">
            <h2 id="form-title">\(title)</h2>
            <form class="inputs" id="compare-form" action="\(base)/compare" method="post" enctype="multipart/form-data" aria-labelledby="form-title">
            <label class="field long"><span>HTTP archive (.har), by choosing or dropping it here; at most \(ComparisonOrder.recordingLimit >> 20) MiB and \
            \(ComparisonOrder.requestLimit) requests</span> <input type="file" name="recording" accept=".har,application/json" required></label>
            <label class="field"><span>Platform</span> <select name="platform">\(choices)</select></label>
            <label class="field long"><span>Where the service stood (optional)</span> <input name="base" maxlength="1024" \
            placeholder="hanko=https://tenant.example" autocomplete="off" spellcheck="false"></label>
            <label class="field long"><span>Known differences, one JSON object a line (optional)</span> \
            <textarea name="rules" rows="3" autocomplete="off" spellcheck="false"></textarea></label>
            <label class="check long"><input type="checkbox" name="as-is"> Make no people and clients that the recording takes for granted</label>
            <button class="primary" name="action" value="compare">Compare</button>
            </form>
            <p class="hint">A comparison takes \(Int(ComparisonOrder.patience)) seconds at most. Which recordings it takes, and what it compares, is in the \
            <a href="\(base)/docs/compare">documentation</a>.</p>
            </section>
            """
    }
}
