import HTTP
import PlatformKit

extension Console {
    struct FlowsOutput: Encodable {
        let flows: [FlowJSON]
    }

    /// Events by which the journal tells that a world's clock was moved.
    static let clockEvents: Set = ["clock set", "clock moved"]

    /// `GET /flows?platform=&user=&since=&limit=`: the newest flows, the one in which something happened last first.
    ///
    /// - Response: `200 {"flows": […]}`. They are found among the newest ``FlowFinder/entryLimit`` entries of the journal.
    func listFlows(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "user", "since", "limit")
        let choice = try FlowChoice(parameters)
        let flows = self.flows(of: world).filter(choice.fits).prefix(try parameters.limit())
        return try .json(FlowsOutput(flows: flows.map { FlowJSON($0) }))
    }

    /// `GET /flows/ID?format=`: the flow that an entry of the journal belongs to, which may go on.
    ///
    /// - Response: `format=json` by default, `svg`, `mermaid` or `text`.
    func showFlow(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "format")
        let format = try FlowFormat(parameters)
        let text = request.parameter("id")
        guard let id = Int(digits: text) else {
            throw ControlError.parameter(
                "id", expected: "the whole number of an entry, or “last”", given: "“\(text)”")
        }
        guard let flow = flow(id, of: world) else {
            throw ControlError.absent(
                "No flow contains entry \(id). Flows are looked for in the newest \(FlowFinder.entryLimit) entries of the journal."
            )
        }
        return try answer(flow, as: format, to: request)
    }

    /// `GET /flows/last?user=&platform=&since=&wait=&format=`: the newest flow, as ``showFlow(_:_:)`` gives it.
    func showLastFlow(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "user", "since", "wait", "format")
        let (format, choice) = (try FlowFormat(parameters), try FlowChoice(parameters))
        return try world.journal.occasion().answer(within: parameters.wait()) {
            flows(of: world).first(where: choice.fits)
        } with: { flow in
            guard let flow else {
                throw ControlError.absent("No flow matches, and none began within the time to wait.")
            }
            return try answer(flow, as: format, to: request)
        }
    }

    private func answer(_ flow: Flow, as format: FlowFormat, to request: Request) throws -> Response {
        switch format {
        case .json: return try .json(FlowChartJSON(FlowChart(flow)))
        case .text: return .text(FlowText.text(of: flow), "text/plain; charset=utf-8")
        case .mermaid: return .text(FlowMermaid.text(of: FlowChart(flow)), "text/vnd.mermaid; charset=utf-8")
        case .svg:
            let sheet = web.read("diagram.css").map { String(decoding: $0, as: UTF8.self) } ?? ""
            let drawing = FlowDrawing.svg(FlowChart(flow), base: request.mount, style: Self.palette + sheet)
            return .text(drawing.text, "image/svg+xml")
        }
    }

    /// Newest first.
    ///
    /// - Parameter limit: entries that are looked at, the newest.
    func flows(of world: World, among limit: Int = FlowFinder.entryLimit) -> [Flow] {
        var query = Journal.Query()
        query.limit = limit
        return FlowFinder.flows(in: world.journal.entries(query))
    }

    func flow(_ entry: Int, of world: World) -> Flow? {
        flows(of: world).first { $0.entryIDs.contains(entry) }
    }

    /// Colours of a drawing that stands alone; within our pages they are those of `app.css`.
    private static let palette = """
        :root{--sheet:#fff;--well:#eceeea;--ink:#1a1f22;--soft:#545e65;--line:#d5d9d4;--edge:#868f90;--accent:#0b5f6b;\
        --refused:#a33a12;--tint:#fbf0e6;--mono:ui-monospace,Menlo,Consolas,monospace;--sans:system-ui,sans-serif}
        @media (prefers-color-scheme:dark){:root{--sheet:#171c1f;--well:#0b0e10;--ink:#e3e8ea;--soft:#9eabb2;--line:#2a3338;\
        --edge:#66747c;--accent:#74c9d5;--refused:#f0a36b;--tint:#241b14}}
        .diagram{background:var(--sheet)}

        """
}

/// How a flow is told.
enum FlowFormat: String, CaseIterable {
    case json, svg, mermaid, text

    init(_ parameters: Parameters) throws {
        guard let text = parameters.text("format") else {
            self = .json
            return
        }
        guard let format = FlowFormat(rawValue: text) else {
            throw ControlError.parameter(
                "format", expected: Self.allCases.map { "“\($0.rawValue)”" }.joined(separator: " or "),
                given: "“\(text)”")
        }
        self = format
    }
}

/// Which flows are meant; every condition that is set must hold.
struct FlowChoice: Sendable {
    var platform: String?
    private let user: Subject?
    /// Only flows that go on after this entry of the journal.
    var since: Int?

    init(_ parameters: Parameters) throws {
        self.init(platform: parameters.text("platform"), user: parameters.text("user"))
        since = try parameters.since()
    }

    init(platform: String?, user: String?) {
        self.platform = platform
        self.user = user.map { Subject(.user, $0.lowercased()) }
    }

    func fits(_ flow: Flow) -> Bool {
        (platform.map(flow.platforms.contains) ?? true) && (user.map(flow.isAbout) ?? true)
            && (since.map { since in flow.entryIDs.contains { $0 > since } } ?? true)
    }
}

extension Response {
    fileprivate static func text(_ text: String, _ type: String) -> Response {
        Response(
            headers: [
                "Content-Type": type, "Cache-Control": "no-store",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            ], body: Array(text.utf8))
    }
}
