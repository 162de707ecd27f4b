import Essentials
import HTTP
import PlatformKit

/// What list and page of transactions say alike.
enum TransactionLine {
    /// The id of the element that shows the transaction `id` in the list.
    static func anchor(_ id: String) -> String {
        "t-" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// The page of a transaction, below the world's mount.
    static func path(_ id: String) -> String { "/transactions/" + id.percentEncoded }

    static func title(_ transaction: Transaction) -> String { transaction.title.shownTitle }

    /// The state in plain words, with a colour and a shape.
    static func standing(_ transaction: Transaction) -> HTML {
        """
        <span class="outcome \(TransactionWords.outcome(transaction).rawValue)">\(TransactionWords.sentence(transaction))</span>
        """
    }

    /// Of an open one that ends by itself; the script counts it down.
    static func left(_ transaction: Transaction, at now: Date) -> HTML? {
        transaction.secondsLeft(at: now).map { seconds in
            """
            <span class="left" data-until="\(Timestamp.text(transaction.expiresAt))">\(TransactionWords.left(seconds))</span>
            """
        }
    }
}
