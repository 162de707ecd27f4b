import HTTP
import PlatformKit

extension Console {
    struct RecordsOutput: Encodable {
        let records: [RecordJSON]
        /// What can be made.
        let new: [NewRecordJSON]
    }

    /// `GET /records?platform=&kind=&user=&state=&limit=&wait=`: users, devices and whatever else platforms keep, newest first.
    ///
    /// - Response: `200 {"records": […], "new": […]}`, without records when none fitted within `wait` seconds; `new` is what can be
    ///   made at the platforms that are meant.
    func listRecords(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "kind", "user", "state", "limit", "wait")
        var query = RecordQuery()
        query.platform = parameters.text("platform")
        query.kind = parameters.text("kind")
        query.user = parameters.text("user")
        query.state = parameters.text("state")
        query.limit = try parameters.limit()
        let (watch, wanted) = (recordWatch(world), query)
        return try watch.answer(within: parameters.wait()) { all in
            let chosen = wanted.chosen(from: all)
            return chosen.isEmpty ? nil : chosen
        } with: { found in
            let new = try info.platforms.filter { wanted.platform.map($0.name.elementsEqual) ?? true }
                .flatMap { type in try world.newRecords(of: type).map { NewRecordJSON($0, at: type.name) } }
            return try .json(RecordsOutput(records: (found ?? []).map { RecordJSON($0) }, new: new))
        }
    }

    /// `GET /records/PLATFORM/ID?state=&wait=`: one record, when what is waited for has come about.
    ///
    /// - Response: `200` with the record as it is then, also when `wait` seconds were not enough.
    /// - Errors: 404 when there is none after `wait` seconds.
    func showRecord(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "state", "wait")
        let state = parameters.text("state")
        let (platform, id) = (request.parameter("platform"), request.parameter("id"))
        return try recordWatch(world).answer(within: parameters.wait(), record: id, of: platform) { record in
            guard let record else { return nil }
            return state.map { $0.equalsIgnoringCase(record.state) } ?? true ? record : nil
        } with: { reached in
            try .json(RecordJSON(try reached ?? requireRecord(world, request)))
        }
    }

    /// `GET /records/PLATFORM/ID/qr?format=`: the record's code as a QR symbol.
    ///
    /// - Response: `200` with `image/svg+xml`, or with `image/png` for the format `png`.
    /// - Errors: 404 when there is no such record, or no code in it; 400 for another format.
    func recordQR(_ world: World, _ request: Request) throws -> Response {
        let format = try Symbol.Format(Parameters(request, "format"))
        let record = try requireRecord(world, request)
        return try Symbol.response(record.code, of: record.kind, record.id, format)
    }

    /// `POST /records`: makes something at a platform.
    ///
    /// - Request: `{"platform", "kind", "inputs"?}`, where `inputs` has texts by name, as `new` of the list asks for them.
    /// - Response: `201` with the record, or with the transaction when that is what was made; `Location` is the call that shows it.
    /// - Errors: 400 for a platform, a kind or an input that is not what it must be, 409 when the platform refuses.
    func makeRecord(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "platform", "kind", "inputs")
        let (platform, kind) = (try body.text("platform"), try body.text("kind"))
        let card = try requirePlatform(platform)
        let made = try make(kind, at: card, try body.inputs(), in: world)
        var response: Response
        switch made {
        case .record(let record): response = try .json(RecordJSON(record), status: .created)
        case .transaction(let transaction):
            response = try .json(shape(transaction, world, request), status: .created)
        }
        let base = WorldAddresses(request, info).base(of: world.name) + Self.root
        response.headers["Location"] = base + made.path
        return response
    }

    /// `POST /records/PLATFORM/ID/ACTION`: does to a record what one of its actions says.
    ///
    /// - Request: `{"inputs"?}`, or nothing.
    /// - Response: `200` with the record as it is then; `204` when it is gone.
    /// - Errors: 404 when there is no such record, 400 for an action that it does not know now and for inputs that are not what they
    ///   must be, 409 when the platform refuses.
    func actOnRecord(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let inputs = request.body.isEmpty ? [:] : try JSONBody(request, "inputs").inputs()
        let after = try perform(
            request.parameter("action"), onRecord: request.parameter("id"), of: request.parameter("platform"),
            inputs, in: world)
        return try after.map { try .json(RecordJSON($0)) } ?? .noContent
    }

    /// The record that the path names.
    func requireRecord(_ world: World, _ request: Request) throws -> ConsoleRecord {
        let (platform, id) = (request.parameter("platform"), request.parameter("id"))
        guard let found = try recordWatch(world).find(id, of: platform) else {
            throw noRecord(id, of: platform, in: world)
        }
        return found.record
    }
}

extension Console.Made {
    /// The call that shows it, below the root.
    fileprivate var path: String {
        switch self {
        case .record(let record): "/records/\(record.platform)/\(record.id.percentEncoded)"
        case .transaction(let transaction): "/transactions/\(transaction.id.percentEncoded)"
        }
    }
}

extension JSONBody {
    /// A text that must be there.
    fileprivate func text(_ name: String) throws -> String {
        let expected = "a text that is not empty"
        guard let text = try value(name, String.self, expected: expected) else {
            throw ControlError.parameter(name, expected: expected, given: "left out")
        }
        guard !text.isEmpty else { throw ControlError.parameter(name, expected: expected, given: "empty") }
        return text
    }

    /// The member `inputs`; empty when it is left out.
    func inputs() throws -> [String: String] {
        try value("inputs", [String: String].self, expected: "an object whose values are texts") ?? [:]
    }
}
