import PlatformKit

/// A kind that can be made, as the API gives it.
struct NewRecordJSON: Encodable {
    let platform: String
    let kind: String
    let title: String
    let inputs: [InputJSON]

    init(_ new: NewRecord, at platform: String) {
        self.platform = platform
        kind = new.kind
        title = new.title
        inputs = new.inputs.map(InputJSON.init)
    }
}
