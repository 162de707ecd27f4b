import PlatformKit

extension HankoLoader {
    mutating func load(_ flow: Flow, at path: [String]) throws {
        guard UUIDText.isVersion4(flow.id) else {
            throw FixtureProblem(
                at: path + ["id"], "expected a version 4 UUID in lower case, found \"\(flow.id)\"")
        }
        guard flowIDs.insert(flow.id).inserted else {
            throw FixtureProblem(at: path + ["id"], "the id \"\(flow.id)\" stands here twice")
        }
        try FlowStore.insert(flow, into: db)
    }
}
