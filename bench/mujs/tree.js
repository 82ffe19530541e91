/* tree.js - objects, closures, recursion: a sorted tree, filled and walked */
function Node(key, value) {
	this.key = key;
	this.value = value;
	this.left = this.right = null;
}

function Tree() { this.root = null; this.size = 0; }

Tree.prototype.insert = function (key, value) {
	var at = this.root, node = new Node(key, value);
	this.size++;
	if (at === null) { this.root = node; return; }
	for (;;) {
		if (key === at.key) { at.value += value; this.size--; return; }
		var side = key < at.key ? "left" : "right";
		if (at[side] === null) { at[side] = node; return; }
		at = at[side];
	}
};

Tree.prototype.walk = function (visit) {
	(function inner(node) {
		if (node === null) return;
		inner(node.left);
		visit(node);
		inner(node.right);
	})(this.root);
};

var state = 5;
function random(n) {
	state = (state * 16807) % 2147483647;
	return state % n;
}

var rounds = +scriptArgs[0];
for (var round = 0; round < rounds; round++) {
	var tree = new Tree(), sum = 0, depth = 0;
	state = 5;
	for (var i = 0; i < 3000; i++) tree.insert(random(100000), i % 7);
	tree.walk(function (node) {
		sum = (sum * 31 + node.key + node.value) % 1000003;
	});
	(function deep(node, n) {
		if (node === null) { if (n > depth) depth = n; return; }
		deep(node.left, n + 1);
		deep(node.right, n + 1);
	})(tree.root, 0);
	print(tree.size, sum, depth);
}
