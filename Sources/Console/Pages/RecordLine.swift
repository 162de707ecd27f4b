import HTTP
import PlatformKit

/// The markup of one record in the list.
struct RecordLine {
    let record: ConsoleRecord
    let base: String
    /// Title of its platform.
    let platform: String

    /// The page of a record, below the world's mount.
    static func path(_ record: ConsoleRecord) -> String {
        "/devices/\(record.platform.percentEncoded)/\(record.id.percentEncoded)"
    }

    /// The state in plain words, with a colour and a shape.
    static func standing(_ record: ConsoleRecord) -> HTML {
        "<span class=\"outcome \(RecordWords.outcome(record.state))\">\(RecordWords.word(record.state))</span>"
    }

    var html: HTML {
        """
        <li class="record" data-id="\(record.platform)/\(record.id)">
        \(Self.standing(record))
        <a class="subject" href="\(base + Self.path(record))">\(record.title.shownTitle)</a>
        <span class="to">\(record.user ?? "")</span>
        <span class="about">\(record.kind) · \(platform)</span>
        \(.time(Timestamp.text(record.createdAt)))
        </li>
        """
    }
}
