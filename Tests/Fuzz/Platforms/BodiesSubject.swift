import Essentials
import HTTP
import PlatformKit

/// Bodies of every route: members missing, doubled, huge, nested, of other types. Never a 5xx, never a bug.
struct BodiesSubject: Subject {
    static let name = "bodies"

    let house = FuzzHouse()
    private let samples: [BodySample]
    private let mutator: JSONTreeMutator
    private let texts: [String]

    init() {
        samples = BodySample.all()
        let pool = samples.flatMap { sample -> [JSONTree] in
            if case .json(let tree) = sample.body { tree.descendants } else { [] }
        }
        mutator = JSONTreeMutator(pool: pool.filter { $0.count < 20 })
        texts = samples.flatMap { sample -> [String] in
            if case .form(let fields) = sample.body { fields.map(\.value) } else { [] }
        }
    }

    var corpus: [[UInt8]] { [Array("POST /hanko/users\n\n{}".utf8)] }
    let dictionary: [[UInt8]] = [Array("{}".utf8)]

    /// A request as a text: method and target, header fields, an empty line, the body.
    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        let sample = random.pick(samples)
        var lines = [sample.method.rawValue + " " + sample.target]
        let body: String
        switch sample.body {
        case .json(var tree):
            for _ in 0...random.below(3) { self.mutator.mutate(&tree, &random) }
            body = tree.text
        case .form(var fields):
            for _ in 0...random.below(3) { mutate(&fields, &random) }
            body = Form.encode(fields)
        }
        for header in sample.headers { lines.append(header.name + ": " + header.value) }
        return Array((lines.joined(separator: "\n") + "\n\n" + body).utf8)
    }

    private func mutate(_ fields: inout [(name: String, value: String)], _ random: inout SplitMix64) {
        guard !fields.isEmpty else { return }
        let place = random.below(fields.count)
        switch random.below(6) {
        case 0: fields.remove(at: place)
        case 1: fields.append(fields[place])
        case 2: fields[place].value = random.pick(texts)
        case 3: fields[place].value = String(repeating: "a", count: 70_000)
        case 4: fields.append((fields[place].name, random.pick(texts)))
        default:
            fields[place].value = random.pick([
                "", "0", "-1", "\u{0}", "null", "é", "%", "x y", "9223372036854775808",
            ])
        }
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        guard var request = Self.request(input) else { return }
        let name: String
        do { name = try house.worlds.create(WorldOrder()) } catch { throw Violation("no world: \(error)") }
        request.path = "/w/\(name)" + request.path
        let order = request.headers[PhoneCarrier.header]
        let responses =
            order.map { PhoneCarrier(house: house, world: name).carry(request, $0) }
            ?? [house.dispatcher.respond(to: request)]
        do { try house.worlds.delete(name) } catch { throw Violation("the world does not go: \(error)") }
        if let report = house.takeReports().first { throw Violation(report) }
        for response in responses { try Self.check(response) }
    }

    private static func check(_ response: Response) throws(Violation) {
        let text = String(decoding: response.bytes.prefix(500), as: UTF8.self)
        guard response.status.code < 500 || mayFail(response.status.code, text) else {
            throw Violation("\(response.status.code) \(text)")
        }
    }

    /// 501: not emulated, and said so. 502: nobody answers at the address of another server, which a body may name. Hanko's Flow API
    /// answers 500 by design to a body that is no JSON object.
    static func mayFail(_ status: Int, _ text: String) -> Bool {
        [501, 502].contains(status) || status == 500 && text.contains("\"technical_error\"")
    }

    private static func request(_ input: [UInt8]) -> Request? {
        let text = String(decoding: input, as: UTF8.self)
        guard let split = text.firstRange(of: "\n\n") else { return nil }
        var lines = text[..<split.lowerBound].split(separator: "\n").map(String.init)[...]
        let line = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        guard line.count == 2 else { return nil }
        let target = line[1].split(separator: "?", maxSplits: 1).map(String.init)
        // Port 1: what the sample app calls there is refused at once.
        var headers: Headers = ["Host": "localhost:1"]
        for field in lines {
            let parts = field.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { headers[parts[0]] = String(parts[1].drop { $0 == " " }) }
        }
        return Request(
            Request.Method(rawValue: line[0]), target.first ?? "/", query: target.count > 1 ? target[1] : nil,
            headers: headers, body: Array(text[split.upperBound...].utf8))
    }
}
