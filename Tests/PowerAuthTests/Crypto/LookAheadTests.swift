import Crypto
import PowerAuth
import Testing

/// The search for a code along the counter, with the first published code of two factors.
struct LookAheadTests {
    let entry: VectorEntry
    let keys: FactorKeys
    let data: NormalizedData
    let start: HashCounter

    init() throws {
        entry = try #require(
            VectorEntry.all("v3/signatures-v31.json").first {
                $0.members["signatureType"] == "possession_knowledge"
            })
        keys = try entry.factorKeys()
        data = NormalizedData(try entry.bytes("data"))
        start = try HashCounter(entry.bytes("counterData"))
    }

    private func find(
        _ code: String, among types: [SignatureType] = [.possessionKnowledge],
        from counter: HashCounter? = nil,
        lookAhead: Int = 20
    ) -> AuthenticationCode.Match? {
        AuthenticationCode.find(
            code, among: types.map { .init($0, data) }, keys: keys, from: counter ?? start,
            lookAhead: lookAhead, format: .base64)
    }

    private func code(after steps: Int) -> String {
        AuthenticationCode.compute(
            .possessionKnowledge, keys: keys, counter: start.advanced(by: steps), data: data, format: .base64)
    }

    @Test func `the published code is at the expected counter, and the next value is stored`() throws {
        let match = try #require(find(entry.text("signature")))

        #expect(match.distance == 0)
        #expect(match.type == .possessionKnowledge)
        #expect(match.next == start.next)
        #expect(try find(entry.text("signature"), from: match.next) == nil)
    }

    @Test func `a code up to nineteen steps ahead is found, the twentieth is not`() throws {
        for steps in [1, 7, 19] {
            let match = try #require(find(code(after: steps)))
            #expect(match.distance == steps)
            #expect(match.next == start.advanced(by: steps + 1))
        }
        #expect(find(code(after: 20)) == nil)
        #expect(find(code(after: 20), lookAhead: 21)?.distance == 20)
        #expect(try find(entry.text("signature"), lookAhead: 0) == nil)
        #expect(try find(entry.text("signature"), lookAhead: -1) == nil)
    }

    @Test func `of several candidates the one that was used is named`() throws {
        let types: [SignatureType] = [.possessionBiometry, .possession, .possessionKnowledge]
        let match = try #require(find(code(after: 3), among: types))

        #expect(match.type == .possessionKnowledge)
        #expect(match.candidate == 2)
        #expect(match.distance == 3)
        #expect(find(code(after: 3), among: [.possessionBiometry, .knowledge, .possession]) == nil)
        #expect(find(code(after: 3), among: []) == nil)
    }

    @Test func `a code with one character changed, cut or longer is not found`() throws {
        let code = try entry.text("signature")

        for index in code.indices where code[index] != "=" {
            var bent = code
            bent.replaceSubrange(index...index, with: code[index] == "A" ? "B" : "A")
            #expect(find(bent) == nil)
        }
        #expect(find(String(code.dropLast())) == nil)
        #expect(find(code + "=") == nil)
        #expect(find("") == nil)
    }

    @Test func `other data, another key and another format give another code`() throws {
        let code = try entry.text("signature")
        let others = FactorKeys(
            possession: keys.possession, knowledge: keys.biometry, biometry: keys.knowledge)

        #expect(
            AuthenticationCode.find(
                code, among: [.init(.possessionKnowledge, NormalizedData(data.bytes + [0]))], keys: keys,
                from: start,
                lookAhead: 20, format: .base64) == nil)
        #expect(
            AuthenticationCode.find(
                code, among: [.init(.possessionKnowledge, data)], keys: others, from: start, lookAhead: 20,
                format: .base64) == nil)
        #expect(
            AuthenticationCode.find(
                code, among: [.init(.possessionKnowledge, data)], keys: keys, from: start, lookAhead: 20,
                format: .decimal(digits: 8)) == nil)
    }
}
