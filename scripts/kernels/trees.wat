;; Sums of the leaves that rows come to in boosted trees, four rows at a time and without branches: which way a row goes
;; at a node cannot be foretold, so the processor would guess wrong every other time.
(module
  (memory (export "memory") 1)
  ;; trees: 8 bytes a tree: u32 place of its root, u32 its depth.
  ;; A node is 24 bytes: f64 border, f64 value, u32 place of the right child, u32 place of its signal in a row; the left
  ;; child stands just after it. A leaf has NaN as border, which nothing is below, and itself as right child.
  ;; rows: float32, `stride` bytes each, their number a multiple of four. out: one float64 a row, added to.
  (func (export "sums")
    (param $trees i32) (param $count i32)
    (param $rows i32) (param $end i32) (param $stride i32) (param $out i32)
    (local $last i32) (local $root i32) (local $depth i32) (local $level i32) (local $sum i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32)
    (local $n0 i32) (local $n1 i32) (local $n2 i32) (local $n3 i32)
    (local.set $last (i32.add (local.get $trees) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $tree
        (br_if $done (i32.ge_u (local.get $trees) (local.get $last)))
        (local.set $root (i32.load (local.get $trees)))
        (local.set $depth (i32.load offset=4 (local.get $trees)))
        (local.set $r0 (local.get $rows))
        (local.set $sum (local.get $out))
        (block $rowsDone
          (loop $four
            (br_if $rowsDone (i32.ge_u (local.get $r0) (local.get $end)))
            (local.set $r1 (i32.add (local.get $r0) (local.get $stride)))
            (local.set $r2 (i32.add (local.get $r1) (local.get $stride)))
            (local.set $r3 (i32.add (local.get $r2) (local.get $stride)))
            (local.set $n0 (local.get $root))
            (local.set $n1 (local.get $root))
            (local.set $n2 (local.get $root))
            (local.set $n3 (local.get $root))
            (local.set $level (local.get $depth))
            (block $down
              (loop $step
                (br_if $down (i32.eqz (local.get $level)))
                (local.set $n0 (select
                  (i32.add (local.get $n0) (i32.const 24))
                  (i32.load offset=16 (local.get $n0))
                  (f64.le
                    (f64.promote_f32 (f32.load (i32.add (local.get $r0) (i32.load offset=20 (local.get $n0)))))
                    (f64.load (local.get $n0)))))
                (local.set $n1 (select
                  (i32.add (local.get $n1) (i32.const 24))
                  (i32.load offset=16 (local.get $n1))
                  (f64.le
                    (f64.promote_f32 (f32.load (i32.add (local.get $r1) (i32.load offset=20 (local.get $n1)))))
                    (f64.load (local.get $n1)))))
                (local.set $n2 (select
                  (i32.add (local.get $n2) (i32.const 24))
                  (i32.load offset=16 (local.get $n2))
                  (f64.le
                    (f64.promote_f32 (f32.load (i32.add (local.get $r2) (i32.load offset=20 (local.get $n2)))))
                    (f64.load (local.get $n2)))))
                (local.set $n3 (select
                  (i32.add (local.get $n3) (i32.const 24))
                  (i32.load offset=16 (local.get $n3))
                  (f64.le
                    (f64.promote_f32 (f32.load (i32.add (local.get $r3) (i32.load offset=20 (local.get $n3)))))
                    (f64.load (local.get $n3)))))
                (local.set $level (i32.sub (local.get $level) (i32.const 1)))
                (br $step)))
            (f64.store (local.get $sum)
              (f64.add (f64.load (local.get $sum)) (f64.load offset=8 (local.get $n0))))
            (f64.store offset=8 (local.get $sum)
              (f64.add (f64.load offset=8 (local.get $sum)) (f64.load offset=8 (local.get $n1))))
            (f64.store offset=16 (local.get $sum)
              (f64.add (f64.load offset=16 (local.get $sum)) (f64.load offset=8 (local.get $n2))))
            (f64.store offset=24 (local.get $sum)
              (f64.add (f64.load offset=24 (local.get $sum)) (f64.load offset=8 (local.get $n3))))
            (local.set $sum (i32.add (local.get $sum) (i32.const 32)))
            (local.set $r0 (i32.add (local.get $r3) (local.get $stride)))
            (br $four)))
        (local.set $trees (i32.add (local.get $trees) (i32.const 8)))
        (br $tree)))))
