import Testing

@testable import Sockets

/// Bytes that many share.
struct MemoryBudgetTests {
    @Test func `what is too much is not booked, and what is given up is there again`() {
        let budget = MemoryBudget(most: 100)
        var (one, other) = (0, 0)
        #expect(budget.book(60, inPlaceOf: &one))
        #expect(!budget.book(41, inPlaceOf: &other))
        #expect(other == 0)
        #expect(budget.bytes == 60)
        #expect(budget.book(10, inPlaceOf: &one))
        #expect(budget.book(90, inPlaceOf: &other))
        #expect(budget.bytes == 100)
    }

    @Test func `large bookings that were given up are told once`() {
        let budget = MemoryBudget(most: 10 << 20)
        var booked = 0
        #expect(budget.book(5 << 20, inPlaceOf: &booked))
        #expect(!budget.takeFreed(from: 4 << 20))
        #expect(budget.book(0, inPlaceOf: &booked))
        #expect(budget.takeFreed(from: 4 << 20))
        #expect(!budget.takeFreed(from: 4 << 20))
        for _ in 0..<1000 {
            #expect(budget.book(16 << 10, inPlaceOf: &booked))
            #expect(budget.book(0, inPlaceOf: &booked))
        }
        #expect(!budget.takeFreed(from: 4 << 20), "little is used again soon")
    }
}
