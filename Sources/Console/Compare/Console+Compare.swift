import Comparison
import Essentials
import HTTP
import PlatformKit

extension Console {
    /// Bytes of the form that brings a recording.
    static let compareBytes = ComparisonOrder.recordingLimit + 256 * 1024

    /// `GET /compare?show=`: the comparison of this program, and the form that begins one.
    func comparePage(_ world: World, _ request: Request) throws -> Page {
        try comparePage(request, refused: nil)
    }

    /// `POST /compare` with `action=compare` and a recording, `stop` or `discard`, as the forms of the page send it.
    ///
    /// - Response: `303` to the page; the page with the reason when it is refused.
    func compareFromForm(_ world: World, _ request: Request) throws -> Response {
        do {
            if MultipartForm.isOne(request) {
                try comparisons.start(Self.order(MultipartForm(request)))
            } else {
                guard ["stop", "discard"].contains(request.form["action"]) else {
                    throw ControlError.refused("There is no such button.")
                }
                comparisons.discard()
            }
            return Self.seeOther(request.mount + "/compare")
        } catch {
            let (status, sentence) =
                try (error as? RequestMalformed).map { (Status.badRequest, $0.reason) }
                ?? Self.worldRefusal(error)
            var page = try comparePage(request, refused: sentence)
            page.status = status
            return render(page, request, in: world)
        }
    }

    private static func order(_ form: MultipartForm) throws -> ComparisonOrder {
        guard let file = form.file("recording") else {
            throw ControlError.unprocessable("Choose the file of a recording first.")
        }
        var order = ComparisonOrder()
        (order.name, order.recording) = ((file.file ?? "").shortened, file.bytes)
        order.platforms = form.values(of: "platform").filter { !$0.isEmpty }
        order.bases = ComparisonOrder.list(form["base"] ?? "")
        order.rules = (form["rules"] ?? "").replacing("\r\n", with: "\n")
        order.isAsIs = form["as-is"] != nil
        return order
    }

    private func comparePage(_ request: Request, refused: String?) throws -> Page {
        let state = comparisons.state
        var flows: [ComparePage.FlowPair] = []
        if case .done(_, let outcome) = state { flows = try flowPairs(of: outcome, request) }
        let page = ComparePage(
            base: request.mount, state: state, platforms: info.platforms.filter { $0.name != "app" },
            refusal: refused, shown: request.queryItems["show"] ?? "", flows: flows,
            mounts: { request.mount(of: $0) })
        return Page(title: "Compare", tab: .compare, hasForms: true, main: page.html)
    }

    /// The flows of the first run, each beside the same one of the second. Nobody keeps worlds from being deleted, and then they have none.
    private func flowPairs(
        of outcome: ComparisonOutcome, _ request: Request
    ) throws -> [ComparePage.FlowPair] {
        let runs = try outcome.worlds.map { name in
            try worlds.world(name).map { flows(of: $0).filter { !$0.isSingle }.reversed() } ?? []
        }
        guard runs.count == 2 else { return [] }
        return runs[0].enumerated().prefix(ComparePage.flowLimit).map { index, flow in
            let address = "\(request.mount(of: outcome.worlds[0]))/flows/\(flow.id)"
            let other = index < runs[1].count ? "?beside=\(outcome.worlds[1])/\(runs[1][index].id)" : ""
            return ComparePage.FlowPair(flow: flow, address: address + other)
        }
    }

    /// `GET /compare/NUMBER`: a recorded exchange beside ours.
    func comparedExchange(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("number")
        guard case .done(let name, let outcome) = comparisons.state, let number = Int(digits: text),
            let index = outcome.exchanges.firstIndex(where: { $0.number == number })
        else {
            throw PageMissing(
                sentence:
                    "No comparison has a request #\(text.shortened). The last one may have been discarded, or another one has begun.",
                tab: .compare)
        }
        func near(_ index: Int) -> Int? {
            outcome.exchanges.indices.contains(index) ? outcome.exchanges[index].number : nil
        }
        let page = ComparedExchangePage(
            base: request.mount, recording: name, exchange: outcome.exchanges[index],
            before: near(index - 1), after: near(index + 1))
        return Page(title: page.title.shortened, tab: .compare, main: page.html)
    }
}
