import PlatformKit

/// A record, as the API gives it.
struct RecordJSON: Encodable {
    struct Action: Encodable {
        let name: String
        let title: String
        let inputs: [InputJSON]
        /// Whether it cannot be undone.
        let final: Bool
    }

    let id: String
    let platform: String
    let kind: String
    let title: String
    let user: String?
    let state: String
    let createdAt: String
    let facts: [FactJSON]
    let code: String?
    let actions: [Action]
    let steps: [StepJSON]

    init(_ record: ConsoleRecord) {
        id = record.id
        platform = record.platform
        kind = record.kind
        title = record.title
        user = record.user
        state = record.state
        createdAt = Timestamp.text(record.createdAt)
        facts = record.facts.map(FactJSON.init)
        code = record.code
        actions = record.actions.map {
            Action(
                name: $0.name, title: $0.title, inputs: $0.inputs.map(InputJSON.init), final: $0.isFinal)
        }
        steps = record.steps.map(StepJSON.init)
    }
}
